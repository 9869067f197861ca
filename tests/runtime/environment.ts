import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { listen } from '../support/listen.js';
import { parseYaml } from '../support/parse-yaml.js';
import type { Result } from '../support/service/service.js';

const { memorySize } = (parseYaml(readFileSync('serverless.yml', 'utf8')) as { provider: { memorySize: number } })
  .provider;
/** The memory of the function in MB. */
export const MEMORY_SIZE = memorySize;

const INSTALLED = 'tests/runtime/node_modules';

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/**
 * Starts AWS's runtime client under Lambda's Node.js, and the Runtime API from which it gets events (Lambda developer guide, "Using the
 * Lambda runtime API").
 *
 * @param folder - Where the function is unpacked.
 * @param variables - At least `_HANDLER`.
 * @returns The environment, when it asks for its first event.
 * @throws Error with what the client reports, if it can't load the handler.
 */
export async function startEnvironment(folder: string, variables: NodeJS.ProcessEnv) {
  let printed = '';
  /** What waits: an event for its result, and the client for the next event. */
  let invocation: { event: string; resolve: (result: Result) => void; reject: (error: Error) => void } | undefined;
  let client: ServerResponse | undefined;

  const deliver = () => {
    if (!invocation || !client) return;
    client.setHeader('Content-Type', 'application/json');
    client.setHeader('Lambda-Runtime-Aws-Request-Id', 'f0a7fe7e-0000-4000-8000-000000000000');
    client.setHeader('Lambda-Runtime-Deadline-Ms', Date.now() + 10_000);
    client.setHeader('Lambda-Runtime-Invoked-Function-Arn', 'arn:aws:lambda:eu-central-1:123456789012:function:api');
    client.end(invocation.event);
    client = undefined;
  };
  const api = createServer(async (request, response) => {
    const posted = await text(request);
    if (request.url?.endsWith('/next')) {
      client = response;
      api.emit('next');
      return deliver();
    }
    response.writeHead(202).end('{"status":"OK"}');
    // Lambda takes no result that is too large.
    const isTooLarge = Buffer.byteLength(posted) > LARGEST_RESULT;
    if (request.url?.endsWith('/init/error')) printed += JSON.parse(posted).errorMessage;
    else if (request.url?.endsWith('/response') && !isTooLarge) invocation?.resolve(JSON.parse(posted));
    else invocation?.reject(new Error(isTooLarge ? 'the result is too large' : posted));
    invocation = undefined;
  }).unref();

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
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const exit = once(child, 'exit');
  const ended = exit.then(() => {
    throw new Error(`the process ended: ${printed}`);
  });
  await Promise.race([once(api, 'next'), ended]);
  return {
    /** Throws if there is no result: the function threw, its process ended, or the result is too large for Lambda. */
    invoke(event: unknown): Promise<Result> {
      const result = new Promise<Result>((resolve, reject) => {
        invocation = { event: JSON.stringify(event), resolve, reject };
        deliver();
      });
      return Promise.race([result, ended]);
    },
    /** The most memory that the process has taken, in megabytes. */
    peakMemory(): number {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    },
    async stop() {
      ended.catch(() => {});
      child.kill('SIGKILL');
      await exit;
      api.close();
    },
  };
}
