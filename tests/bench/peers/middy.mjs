import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import httpRouterHandler from '@middy/http-router';
import { operations, resultOf } from './todo.mjs';

const routes = operations.map(({ method, path, hasBody, run }) => {
  const answer = async ({ pathParameters, body }) => resultOf(run(pathParameters?.id, body));
  const handler = hasBody ? middy().use(httpJsonBodyParser()).handler(answer) : answer;
  return { method: method.toUpperCase(), path: path.replace(':id', '{id}'), handler };
});

export const handler = middy()
  .use(httpErrorHandler({ logger: false }))
  .handler(httpRouterHandler({ routes }));
