import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { createServer } from 'node:net';
import { type Answer, answerOf } from './answer.js';
import { promised } from './promised.js';
import type { Service } from './service.js';

/** The service under serverless-offline, as `npm start` runs it. */
export interface OfflineService extends Service {
  /** Without a slash at the end. */
  readonly url: string;
  /** Of the process, to measure it. */
  readonly pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/**
 * Starts serverless-offline on a free port, with what the build has made.
 *
 * @param environment - Environment variables besides those that are set.
 * @returns The service, when it answers.
 * @throws Error with what it printed, when it ends before that.
 */
export async function startOffline(environment: Record<string, string> = {}): Promise<OfflineService> {
  const [port, lambdaPort] = [await freePort(), await freePort()];
  const options = ['offline', '--httpPort', String(port), '--lambdaPort', String(lambdaPort)];
  const server = spawn('node', ['node_modules/serverless/bin/serverless.js', ...options], {
    env: { ...process.env, LOG_LEVEL: 'silent', ...environment },
  });
  await untilReady(server);
  const call: Service['call'] = async (method, path, sent) =>
    promised(method, path, await send(port, method, path, sent));
  const stop: OfflineService['stop'] = async (signal) => {
    server.kill(signal);
    await once(server, 'exit');
  };
  return {
    prefix: '',
    url: `http://127.0.0.1:${port}`,
    pid: server.pid as number,
    stop,
    call,
  };
}

/** Finds a port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

async function untilReady(server: ChildProcess): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    const read = (text: Buffer) => {
      printed += text;
      if (printed.includes('Server ready')) resolve();
    };
    server.stdout?.on('data', read);
    server.stderr?.on('data', read);
    server.on('exit', () => reject(new Error(`serverless-offline ended:\n${printed}`)));
  });
}

/** Sends the path as it stands, which fetch would normalise. */
async function send(
  port: number,
  method: string,
  path: string,
  { headers = {}, body }: Parameters<Service['call']>[2] = {},
): Promise<Answer> {
  const sent = request({ host: '127.0.0.1', port, method, path, headers });
  sent.end(body === undefined || typeof body === 'string' ? body : JSON.stringify(body));
  const [response] = await once(sent, 'response');
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return answerOf(response.statusCode, response.headers, Buffer.concat(chunks));
}
