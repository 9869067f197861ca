import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { listen } from '../support/listen.js';
import { parseYaml } from '../support/parse-yaml.js';
import type { Result } from '../support/service/service.js';

const { provider } = parseYaml(readFileSync('serverless.yml', 'utf8')) as { provider: { memorySize: number } };
/** The memory of the function in MB. */
export const MEMORY_SIZE = provider.memorySize;

const INSTALLED = 'tests/runtime/node_modules';

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/**
 * Starts AWS's runtime client under Lambda's Node.js, and the Runtime API from which it gets events (Lambda developer guide, "Using the
 * Lambda runtime API").
 *
 * @param folder - Where the function is unpacked.
 * @param variables - At least `_HANDLER`.
 * @returns The environment, once it asks for its first event.
 * @throws Error with what the client reports, if it can't load the handler.
 */
export async function startEnvironment(folder: string, variables: NodeJS.ProcessEnv) {
  const api = createServer(async (request, response) => {
    const posted = await text(request);
    if (request.url?.endsWith('/next')) return api.emit('next', response);
    response.writeHead(202).end('{"status":"OK"}');
    return api.emit('posted', posted, request.url?.endsWith('/response'));
  }).unref();
  let next = once(api, 'next');

  // Lambda limits Node.js's heap by these options.
  const heap = [`--max-old-space-size=${Math.ceil(MEMORY_SIZE * 0.9)}`, `--max-semi-space-size=${MEMORY_SIZE / 20}`];
  const child = spawn(`${INSTALLED}/node24/bin/node`, [...heap, `${INSTALLED}/aws-lambda-ric/index.mjs`], {
    env: {
      LAMBDA_TASK_ROOT: folder,
      AWS_LAMBDA_RUNTIME_API: await listen(api),
      AWS_LAMBDA_FUNCTION_NAME: 'api',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MEMORY_SIZE),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/api',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      ...variables,
    },
  });
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async () => {
    throw new Error(`the process ended: ${(await printed).join('')}`);
  });
  await Promise.race([next, ended]);
  return {
    /** @throws Error if there is no result: the function threw, its process ended, or the result is too large for Lambda. */
    async invoke(event: unknown): Promise<Result> {
      const [client] = await Promise.race([next, ended]);
      next = once(api, 'next');
      const answer = once(api, 'posted');
      client.setHeader('Content-Type', 'application/json');
      client.setHeader('Lambda-Runtime-Aws-Request-Id', 'f0a7fe7e-0000-4000-8000-000000000000');
      client.setHeader('Lambda-Runtime-Deadline-Ms', Date.now() + 10_000);
      client.setHeader('Lambda-Runtime-Invoked-Function-Arn', 'arn:aws:lambda:eu-central-1:123456789012:function:api');
      client.end(JSON.stringify(event));
      const [posted, isResult] = await Promise.race([answer, ended]);
      if (!isResult) throw new Error(posted);
      if (Buffer.byteLength(posted) > LARGEST_RESULT) throw new Error('the result is too large');
      return JSON.parse(posted);
    },
    /** The most memory that the process has taken, in megabytes. */
    peakMemory(): number {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    },
    async stop() {
      child.kill('SIGKILL');
      await ended.catch(() => {});
      api.close();
    },
  };
}
