import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LARGEST_RESULT } from '../../shared/gateway/gateway.js';

/** What Lambda got for an invocation: a result, an error that the runtime reported, or the end of the process. */
export type InvocationOutcome =
  | { readonly kind: 'result'; readonly bytes: number; readonly result: Result }
  | { readonly kind: 'error'; readonly error: { readonly errorType: string; readonly errorMessage: string } }
  | { readonly kind: 'exit'; readonly log: readonly string[] };

/** A result as the gateway takes it. */
export interface Result {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** How a process of the runtime client is started. */
export interface Start {
  /** The Node.js that it runs under. */
  readonly node: string;
  /** The folder with the unzipped package. */
  readonly folder: string;
  readonly handler: string;
  /** The function's memory in MB, which Lambda tells Node.js how much of its heap may take. */
  readonly memorySize: number;
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * An execution environment: AWS's runtime client in a process of its own, and the Runtime API that it asks for events
 * (Lambda developer guide, "Using the Lambda runtime API").
 */
export class Environment {
  /** What the function wrote, line by line. */
  readonly log: string[] = [];
  /** From the start of the process until it asked for its first event, in milliseconds. */
  started = Number.NaN;
  readonly #process: ChildProcess;
  readonly #server;
  #event: { readonly json: string; readonly settle: (outcome: InvocationOutcome) => void } | undefined;
  #waiting: ServerResponse | undefined;

  private constructor(server: ReturnType<typeof createServer>, start: Start) {
    const { node, folder, handler, memorySize, variables } = start;
    const heap = [
      `--max-old-space-size=${Math.ceil(memorySize * 0.9)}`,
      `--max-semi-space-size=${Math.floor(memorySize * 0.05)}`,
    ];
    this.#server = server;
    this.#process = spawn(node, [...heap, 'tests/runtime/node_modules/aws-lambda-ric/index.mjs'], {
      env: {
        _HANDLER: handler,
        AWS_LAMBDA_RUNTIME_API: `127.0.0.1:${(server.address() as AddressInfo).port}`,
        AWS_LAMBDA_FUNCTION_NAME: 'api',
        AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
        AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memorySize),
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
        AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/api',
        AWS_LAMBDA_LOG_STREAM_NAME: 'stream',
        LAMBDA_TASK_ROOT: folder,
        ...variables,
      },
    });
    const read = (text: Buffer) => this.log.push(...String(text).split('\n').filter(Boolean));
    this.#process.stdout?.on('data', read);
    this.#process.stderr?.on('data', read);
  }

  /**
   * Starts an environment.
   *
   * @param start - What to start.
   * @returns The environment when it asks for its first event, or the error when it could not.
   */
  static async start(start: Start): Promise<Environment | { readonly initError: { readonly errorMessage: string } }> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const began = performance.now();
    const environment = new Environment(server, start);
    return new Promise((resolve) => {
      environment.#process.once('exit', () => resolve({ initError: { errorMessage: environment.log.join('\n') } }));
      server.on('request', async (request: IncomingMessage, response: ServerResponse) => {
        const body = await text(request);
        const [id, what] = String(request.url).split('/').slice(-2) as [string, string];
        if (what === 'next') {
          if (Number.isNaN(environment.started)) environment.started = performance.now() - began;
          environment.#waiting = response;
          environment.#deliver();
          return resolve(environment);
        }
        if (id === 'init') resolve({ initError: JSON.parse(body) });
        else environment.#take(what, body, response);
        response.writeHead(response.statusCode === 200 ? 202 : response.statusCode).end('{"status":"OK"}');
      });
      server.unref();
    });
  }

  /**
   * Invokes the function, and waits until the environment is done with it.
   *
   * @param event - The event.
   * @returns The outcome.
   */
  invoke(event: unknown): Promise<InvocationOutcome> {
    return new Promise((resolve) => {
      const settle = (outcome: InvocationOutcome) => {
        this.#process.off('exit', exited);
        resolve(outcome);
      };
      const exited = () => settle({ kind: 'exit', log: this.log });
      if (this.#hasExited) return exited();
      this.#process.once('exit', exited);
      this.#event = { json: JSON.stringify(event), settle };
      this.#deliver();
    });
  }

  /** The most memory that the process has had, in megabytes. */
  get peakMemory(): number {
    const status = readFileSync(`/proc/${this.#process.pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024;
  }

  /** Restarts {@link peakMemory} with what the process has now. */
  forgetPeak(): void {
    writeFileSync(`/proc/${this.#process.pid}/clear_refs`, '5');
  }

  /** Ends the process. */
  async stop(): Promise<void> {
    this.#server.close();
    if (this.#hasExited) return;
    this.#process.kill('SIGKILL');
    await once(this.#process, 'exit');
  }

  get #hasExited(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  #deliver(): void {
    if (!this.#event || !this.#waiting) return;
    const headers = {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': 'f0a7fe7e-0000-4000-8000-000000000000',
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + 10_000),
      'Lambda-Runtime-Invoked-Function-Arn': 'arn:aws:lambda:eu-central-1:123456789012:function:api',
    };
    this.#waiting.writeHead(200, headers).end(this.#event.json);
    this.#waiting = undefined;
  }

  /** Takes what the client posts for an invocation. Lambda refuses a result that is too large. */
  #take(what: string, body: string, response: ServerResponse): void {
    const bytes = Buffer.byteLength(body);
    const event = this.#event;
    this.#event = undefined;
    if (what === 'error') {
      event?.settle({ kind: 'error', error: JSON.parse(body) });
    } else if (bytes <= LARGEST_RESULT) {
      event?.settle({ kind: 'result', bytes, result: JSON.parse(body) });
    } else {
      response.statusCode = 413;
      const error = { errorType: 'Function.ResponseSizeTooLarge', errorMessage: `The result has ${bytes} bytes` };
      event?.settle({ kind: 'error', error });
    }
  }
}
