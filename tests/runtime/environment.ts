import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { listen } from '../support/listen.js';
import { parseYaml } from '../support/parse-yaml.js';
import type { Result } from '../support/service/service.js';

const { provider } = parseYaml(readFileSync('serverless.yml', 'utf8')) as { provider: { memorySize: number } };

/** The memory of the function in MB, unless a run is to measure another size. */
export const MEMORY_SIZE = Number(process.env.MEMORY_SIZE ?? provider.memorySize);

export type Environment = Awaited<ReturnType<typeof startEnvironment>>;

/**
 * Starts an execution environment of what was built last, under Lambda's Node.js, and the Runtime API from which the client gets
 * events (Lambda developer guide, "Using the Lambda runtime API").
 *
 * @param variables - More environment variables. `_HANDLER` and `LAMBDA_TASK_ROOT` name another handler.
 * @returns The environment, when it asks for its first event.
 * @throws Error with what the runtime client reports, if it can't load the handler.
 */
export async function startEnvironment(variables: NodeJS.ProcessEnv = {}) {
  let printed = '';
  /** What waits: the event for its result, and the client for the next event. */
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
    const isResult = request.url?.endsWith('/response') && !isTooLarge;
    if (request.url?.endsWith('/init/error')) printed += JSON.parse(posted).errorMessage;
    else if (isResult) invocation?.resolve(JSON.parse(posted));
    else invocation?.reject(new Error(isTooLarge ? 'the result is too large' : posted));
    invocation = undefined;
  }).unref();

  // Lambda limits Node.js's heap by these options.
  const [old, young] = [Math.ceil(MEMORY_SIZE * 0.9), Math.floor(MEMORY_SIZE * 0.05)];
  const heap = [`--max-old-space-size=${old}`, `--max-semi-space-size=${young}`];
  const installed = 'tests/runtime/node_modules';
  const child = spawn(`${installed}/node24/bin/node`, [...heap, `${installed}/aws-lambda-ric/index.mjs`], {
    env: {
      _HANDLER: 'dist/api.handler',
      LAMBDA_TASK_ROOT: resolve('.'),
      AWS_LAMBDA_RUNTIME_API: await listen(api),
      AWS_LAMBDA_FUNCTION_NAME: 'api',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MEMORY_SIZE),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/api',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      LOG_LEVEL: 'warn',
      ...variables,
    },
  });
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      printed += text;
    });
  const ended = once(child, 'exit').then(() => {
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
    /** Returns the most memory that the process has taken, in megabytes. */
    peakMemory(): number {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
    },
    stop(): void {
      api.close();
      child.kill('SIGKILL');
    },
  };
}
