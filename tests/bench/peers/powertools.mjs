import { Router } from '@aws-lambda-powertools/event-handler/http';
import { operations, resultOf } from './todo.mjs';

const quiet = () => {};
const app = new Router({ logger: { debug: quiet, info: quiet, warn: quiet, error: quiet } });
/** It encodes bytes itself, if they are in a response. */
const send = (answer) => (Buffer.isBuffer(answer.content) ? new Response(answer.content, answer) : resultOf(answer));
for (const { method, path, hasBody, run } of operations) {
  if (hasBody) app[method](path, async ({ req, params }) => send(run(params.id, await req.json())));
  else app[method](path, ({ params }) => send(run(params.id)));
}

export const handler = async (event, context) => app.resolve(event, context);
