import createApi from 'lambda-api';
import { isJson, NOT_FOUND, operations } from './todo.mjs';

const api = createApi();
const send = (response, { status, content = '', headers = {} }) => {
  response.status(status);
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  if (isJson(content)) return response.json(content);
  if (Buffer.isBuffer(content)) return response.sendFile(content, { cacheControl: false, lastModified: false });
  return response.send(content);
};
for (const { method, path, run } of operations) {
  api[method](path, ({ body, params }, response) => send(response, run(params.id, body)));
}
api.any('/*', (_request, response) => send(response, NOT_FOUND));

export const handler = (event, context) => api.run(event, context);
