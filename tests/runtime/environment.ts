import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { parseYaml } from '../deployment/packaging.js';
import { listen } from '../support/listen.js';
import type { Result } from '../support/service/service.js';

const { provider, functions } = parseYaml(readFileSync('serverless.yml', 'utf8')) as {
  readonly provider: { readonly memorySize: number };
  readonly functions: { readonly api: { readonly handler: string } };
};

/** The memory of the function in MB, unless a run is to measure another size. */
export const MEMORY_SIZE = Number(process.env.MEMORY_SIZE ?? provider.memorySize);

/**
 * An execution environment of what was built last: AWS's runtime client in a process of its own, under Lambda's Node.js, and the
 * Runtime API from which it gets events (Lambda developer guide, "Using the Lambda runtime API").
 */
export class Environment {
  /** What the function wrote, line by line. */
  readonly log: string[] = [];
  readonly #server: Server;
  readonly #process: ChildProcess;
  /** The event that waits for its result. */
  #invocation: { event: string; resolve: (result: Result) => void; reject: (error: Error) => void } | undefined;
  /** The response to the client's request for the next event. */
  #waiting: ServerResponse | undefined;

  private constructor(server: Server, variables: NodeJS.ProcessEnv) {
    // Lambda limits Node.js's heap by these options.
    const heap = { '--max-old-space-size': 0.9, '--max-semi-space-size': 0.05 };
    const options = Object.entries(heap).map(([option, share]) => `${option}=${Math.round(share * MEMORY_SIZE)}`);
    this.#server = server;
    this.#process = spawn(
      'tests/runtime/node_modules/node24/bin/node',
      [...options, 'tests/runtime/node_modules/aws-lambda-ric/index.mjs'],
      { env: variables },
    );
    const read = (lines: Buffer) => this.log.push(...String(lines).split('\n').filter(Boolean));
    this.#process.stdout?.on('data', read);
    this.#process.stderr?.on('data', read);
    this.#process.once('exit', () => this.#invocation?.reject(new Error(`the process ended: ${this.log.join('\n')}`)));
  }

  /**
   * Starts an environment, and waits until it asks for its first event.
   *
   * @param variables - More environment variables. `_HANDLER` and `LAMBDA_TASK_ROOT` name another handler.
   * @throws Error with what the runtime client reports, if it can't load the handler.
   */
  static async start(variables: NodeJS.ProcessEnv = {}): Promise<Environment> {
    const server = createServer().unref();
    const environment = new Environment(server, {
      _HANDLER: functions.api.handler,
      LAMBDA_TASK_ROOT: resolve('.'),
      AWS_LAMBDA_RUNTIME_API: await listen(server),
      AWS_LAMBDA_FUNCTION_NAME: 'api',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MEMORY_SIZE),
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/api',
      AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
      LOG_LEVEL: 'warn',
      ...variables,
    });
    await environment.#serve();
    return environment;
  }

  /** Invokes the function. Throws if there is no result: it threw, its process ended, or the result is too large for Lambda. */
  invoke(event: unknown): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#invocation = { event: JSON.stringify(event), resolve, reject };
      this.#deliver();
    });
  }

  /** The most memory that the process has taken, in megabytes. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  /** Ends the process. */
  stop(): void {
    this.#server.close();
    this.#process.kill('SIGKILL');
  }

  /** Answers the runtime client, and waits until it asks for its first event. */
  #serve(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#process.once('exit', () => reject(new Error(this.log.join('\n'))));
      this.#server.on('request', async (request, response) => {
        const posted = await text(request);
        const [, what] = /\/(next|init\/error|error|response)$/.exec(String(request.url)) ?? [];
        if (what === 'next') {
          this.#waiting = response;
          this.#deliver();
          resolve();
          return;
        }
        if (what === 'init/error') reject(new Error(JSON.parse(posted).errorMessage));
        else this.#settle(what === 'response', posted);
        response.writeHead(202).end('{"status":"OK"}');
      });
    });
  }

  #deliver(): void {
    if (!this.#invocation || !this.#waiting) return;
    const headers = {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': 'f0a7fe7e-0000-4000-8000-000000000000',
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + 10_000),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:123456789012:function:api',
    };
    this.#waiting.writeHead(200, headers).end(this.#invocation.event);
    this.#waiting = undefined;
  }

  /** Ends the invocation with what the client has posted. Lambda takes no result that is too large. */
  #settle(isResult: boolean, posted: string): void {
    const invocation = this.#invocation;
    this.#invocation = undefined;
    const bytes = Buffer.byteLength(posted);
    if (isResult && bytes <= LARGEST_RESULT) invocation?.resolve(JSON.parse(posted));
    else invocation?.reject(new Error(isResult ? `the result has ${bytes} bytes` : posted));
  }
}
