import express from 'express';
import serverless from 'serverless-http';
import { isJson, NOT_FOUND, operations } from './todo.mjs';

const app = express();
const send = (response, { status, content, headers = {} }) => {
  response.status(status).set(headers);
  return isJson(content) ? response.json(content) : response.end(content);
};
app.disable('x-powered-by');
app.use(express.json());
for (const { method, path, run } of operations) {
  app[method](path, ({ body, params }, response) => send(response, run(params.id, body)));
}
app.use((_request, response) => send(response, NOT_FOUND));

export const handler = serverless(app);
