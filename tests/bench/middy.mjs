// The functions of by-hand.mjs behind a router.
import middy from '@middy/core';
import httpErrorHandler from '@middy/http-error-handler';
import httpRouterHandler from '@middy/http-router';
import { get, guarded, list, patch, post, put, remove } from './by-hand.mjs';

const withKey = (operation) => (event) => operation(event, event.pathParameters.id);
const routes = [
  ['GET', '/api/todo', list],
  ['POST', '/api/todo', guarded(post)],
  ['GET', '/api/todo/{id}', withKey(get)],
  ['PUT', '/api/todo/{id}', withKey(guarded(put))],
  ['PATCH', '/api/todo/{id}', withKey(guarded(patch))],
  ['DELETE', '/api/todo/{id}', withKey(guarded(remove))],
].map(([method, path, operation]) => ({ method, path, handler: async (event) => operation(event) }));

export const handler = middy().use(httpErrorHandler()).handler(httpRouterHandler(routes));
