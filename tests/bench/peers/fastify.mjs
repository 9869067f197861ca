import awsLambdaFastify from '@fastify/aws-lambda';
import fastify from 'fastify';
import { NOT_FOUND, operations } from './todo.mjs';

const app = fastify();
const send = (reply, { status, content, headers = {} }) => reply.code(status).headers(headers).send(content);
for (const { method, path, run } of operations) {
  app[method](path, async ({ body, params }, reply) => send(reply, run(params.id, body)));
}
app.setNotFoundHandler(async (_request, reply) => send(reply, NOT_FOUND));

export const handler = awsLambdaFastify(app);
