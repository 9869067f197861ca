import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import * as https from 'node:https';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { expect, it } from '@jest/globals';
import { listen } from '../support/listen.js';
import { aStage, serving, smokeAt, stopLater } from './stage.js';

/** A name that no other host has (RFC 6761). */
const NAME = 'todo.example.test';
/** The certificate of that name, made by `openssl req -x509 -days 36500`: it signs itself, and only these tests trust it. */
const [key, cert] = ['key', 'certificate'].map((name) => readFileSync(`tests/smoke/tls/${name}.pem`));

/** Serves a stage over TLS, as the name alone; requests for other names get 421. */
async function domain(): Promise<{ readonly port: string; readonly asked: Set<string> }> {
  const target = new URL(await serving(await aStage()));
  const asked = new Set<string>();
  const forward: RequestListener = (received, response) => {
    const { method, url, headers, socket } = received;
    asked.add(`${(socket as TLSSocket).servername} ${headers.host}`);
    if (headers.host?.split(':')[0] !== NAME) {
      response.writeHead(421).end();
      return;
    }
    const sent = request(target, { method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    });
    received.pipe(sent);
  };
  const server = https.createServer({ key, cert }, forward);
  stopLater(() => server.close().closeAllConnections());
  const [, port = ''] = (await listen(server)).split(':');
  return { port, asked };
}

/** Runs the command in a process that trusts the certificate. */
async function run(...options: readonly string[]) {
  const environment = { ...process.env, NODE_EXTRA_CA_CERTS: 'tests/smoke/tls/certificate.pem' };
  const child = spawn(process.execPath, ['--import', 'tsx', 'serverless/smoke/smoke.ts', '--wait=0', ...options], {
    env: environment,
  });
  const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, lines: printed.trimEnd().split('\n') };
}

it('--connect-to reaches a host under the name in the URL, with TLS, and says what DNS answers for that name', async () => {
  const { port, asked } = await domain();
  const { code, lines } = await run(`https://${NAME}:${port}/live`, '--connect-to', '127.0.0.1');
  expect(lines[0]).toMatch(
    /^- {7}All requests go to 127\.0\.0\.1\. DNS leads todo\.example\.test to nothing \(\w+\), and 127\.0\.0\.1 to 127\.0\.0\.1\.$/,
  );
  expect(lines.filter((line) => line.startsWith('FAILED'))).toEqual([]);
  expect([code, lines.at(-1)]).toEqual([0, 'PASSED  16 checks.']);
  expect([...asked]).toEqual([`${NAME} ${NAME}:${port}`]);
});

it('without it, a name that DNS does not know cannot be reached', async () => {
  const { port, asked } = await domain();
  const { code, lines } = await run(`https://${NAME}:${port}/live`);
  expect(lines[0]).toMatch(
    /^FAILED {2}The stage answers.* GET \/live\/swagger\/v1\/openapi\.json got no answer \(getaddrinfo \w+ todo\.example\.test\)/,
  );
  expect([code, asked.size]).toEqual([1, 0]);
});

it('a host that has no certificate for the name is not trusted', async () => {
  const { port } = await domain();
  const { code, lines } = await run(`https://another.example.test:${port}/live`, '--connect-to=127.0.0.1');
  expect(lines[1]).toMatch(/got no answer \(Hostname\/IP does not match certificate's altnames/);
  expect(code).toBe(1);
});

it('a certificate that no known authority has signed is not trusted', async () => {
  const { port, asked } = await domain();
  const { code, lines } = await smokeAt(`https://${NAME}:${port}/live`, ['--connect-to=127.0.0.1']);
  expect(lines[1]).toMatch(/got no answer \(self[- ]signed certificate/);
  expect([code, asked.size]).toEqual([1, 0]);
});

it('says that DNS leads to the same host, or that the host has no address', async () => {
  const url = (await serving(await aStage())).replace('127.0.0.1', 'localhost');
  const { code, lines } = await smokeAt(url, ['--connect-to=127.0.0.1']);
  expect(lines[0]).toBe('-       All requests go to 127.0.0.1. DNS leads localhost there.');
  expect(code).toBe(0);
  // A label has 63 characters at most, so that no server is asked.
  const nowhere = 'a'.repeat(64);
  const { lines: others } = await smokeAt(url, ['--connect-to', nowhere]);
  expect(others[0]).toMatch(/ DNS leads localhost to ([\d.:]+(, )?)+, and a+ to nothing \(\w+\)\.$/);
  expect(others[1]).toMatch(/^FAILED .* got no answer \(getaddrinfo \w+ a+\)/);
});

it('a host that changes the protocol without being asked gives no answer', async () => {
  const server = createServer();
  server.on('connection', (socket) =>
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n'),
    ),
  );
  stopLater(() => server.close().closeAllConnections());
  const { lines } = await smokeAt(`http://${await listen(server)}`);
  expect(lines[0]).toContain('got no answer (it answered 101)');
});
