import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { checkPort } from '../../serverless/local/ports.js';
import { listen } from '../support/listen.js';
import { matchesDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import { expectOperation } from '../support/service/operations.js';
import type { Service } from '../support/service/service.js';
import {
  Command,
  copyProject,
  exchangeText,
  expectFailure,
  install,
  run,
  send,
  untilFree,
  unusedPort,
} from './command.js';

const WAITING = 'Building the service, and starting serverless-offline: this takes a few seconds.';
// Root may write into any folder, so the failure is planted.
const DENIED = `
  import fs from 'fs';
  import { syncBuiltinESMExports } from 'module';
  fs.promises.mkdir = () => Promise.reject(Object.assign(Error('EACCES: permission denied'), { code: 'EACCES' }));
  syncBuiltinESMExports();`;
const deploying = copyProject();

beforeAll(() => install(deploying, false));

describe('npm start, after npm ci --omit=dev', () => {
  let command: Command;
  let port: number;
  let lambdaPort: number;
  const call: Service['call'] = async (method, path, sent) =>
    matchesDeployed(method, path, await send(port, method, path, sent));

  beforeAll(async () => {
    mkdirSync(join(deploying, 'dist'), { recursive: true });
    writeFileSync(join(deploying, 'dist/api.mjs'), "throw new Error('an old build')");
    [port, lambdaPort] = [await unusedPort(), await unusedPort()];
    const ports = ['--httpPort', `${port}`, '--lambdaPort', `${lambdaPort}`];
    command = new Command(deploying, ['npm', '--loglevel=silent', 'start', '--', ...ports]);
    await command.until('\n');
    expect(command.printed).toBe(`${WAITING}\n`);
    await command.until('Document');
  });

  // No process is left running when npm is stopped.
  afterAll(async () => {
    await command.stop();
    await untilFree(port);
  });

  it('prints the addresses of the page, the list and the document, where the collection is, and what differs from AWS', async () => {
    expect(command.printed).toMatch(/in memory.*CORS is off, as on AWS/s);
    expect(command.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
    for (const path of ['/swagger/ui', COLLECTION, '/swagger/v1/swagger.json']) {
      expect(command.printed).toContain(`http://localhost:${port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
  });

  it.each(OPERATIONS)('answers %s %s', async (method, path) => {
    await expectOperation({ prefix: '', call }, method, path);
  });

  it('has one collection for all requests: after 50 parallel POSTs, all items are in the list', async () => {
    const posts = Array.from({ length: 50 }, () => call('POST', COLLECTION, { body: EXAMPLE }));
    const created = (await Promise.all(posts)).map(({ json }) => json);
    expect((await call('GET', COLLECTION)).json).toEqual(expect.arrayContaining(created));
  });

  it('lets the service see paths, methods and bodies as they are sent', async () => {
    const escaped = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    for (const path of [`${COLLECTION.toUpperCase()}/`, escaped, `${COLLECTION}?x=1`])
      expect((await call('GET', path)).status).toBe(200);
    const head = await call('HEAD', COLLECTION);
    expect(head).toMatchObject({ status: 200, text: '' });
    // It would have to be GET's (RFC 9110, section 8.6).
    expect(head.headers).not.toHaveProperty('content-length');
    expect(await call('OPTIONS', COLLECTION)).toMatchObject({ status: 204 });
    expect((await call('POST', COLLECTION)).json.detail).toContain('missing');
    // The emulator encodes it in base64.
    const headers = { 'content-type': 'application/octet-stream+json' };
    const answer = await call('POST', COLLECTION, { headers, body: '\ufeff{"name":"é"}' });
    expect(answer.json.name).toBe('é');
  });

  it('answers also what no HTTP client sends, and goes on', async () => {
    const start = `POST ${COLLECTION} HTTP/1.1\r\nHost: localhost\r\n`;
    const malformed = 'This is no HTTP request.';
    for (const [sent, ...answers] of [
      // More than its length, after which the connection is to be closed.
      [`${start}Content-Type: ;\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{"a":1}`, 'Invalid content-type'],
      [`${start}Content-Length: 2\r\n\r\n{}{}`, '"code":"invalid-members"', malformed],
      [`${start}Content-Type: ;\r\nTransfer-Encoding: chunked\r\n\r\nx`, malformed],
      ['x\r\n\r\n', malformed],
      ['GET // HTTP/1.1\r\nHost: localhost\r\n\r\n', 'The target of the request is no URL.'],
      ['GET /\\[ HTTP/1.1\r\nHost: localhost\r\n\r\n', 'The target of the request is no URL.'],
    ] as const) {
      const received = await exchangeText(port, sent);
      expect(received.split('HTTP/1.1 400 Bad Request\r\n')).toEqual([
        '',
        ...answers.map((answer) => expect.stringContaining(answer)),
      ]);
    }
    expect((await call('GET', COLLECTION)).status).toBe(200);
  });

  it('lets out no CORS fields but the ones that the function answers: none, without CORS_ORIGINS', async () => {
    const fromPage = { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' };
    const preflight = { ...fromPage, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'a' };
    const answers = [
      await send(port, 'GET', COLLECTION, { headers: fromPage }),
      await send(port, 'OPTIONS', COLLECTION, { headers: preflight }),
      await send(port, 'GET', '/%', { headers: fromPage }),
      // The function sees the origin all the same.
      await send(port, 'POST', COLLECTION, { headers: fromPage, body: EXAMPLE }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 204, 400, 403]);
    for (const { headers } of answers)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('serves requests for names that lead to this machine from here, and for others on neither port', async () => {
    for (const host of ['localhost', '127.0.0.1:1', '[::1]', 'service.localhost:80'])
      expect([host, (await send(port, 'GET', COLLECTION, { headers: { host } })).status]).toEqual([host, 200]);
    // The network could give this machine's own name another address, and then this one again.
    const others = [
      hostname(),
      'example.com',
      'localhost.example.com',
      'notlocalhost',
      '127.0.0.1.example.com:80',
      'localhost@a',
    ];
    for (const [host, called] of others.flatMap((host) => [[host, port] as const, [host, lambdaPort] as const])) {
      const { status, json } = await send(called, 'POST', '/', { headers: { host, expect: '100-continue' }, body: {} });
      expect([host, status, json.detail]).toEqual([host, 403, expect.stringMatching(/^The Host header field/)]);
    }
  });

  it.each(['origin', 'sec-fetch-site'])('refuses events that a page sends, by its %s', async (field) => {
    const headers = { [field]: 'null' };
    const answer = await send(lambdaPort, 'POST', COLLECTION, { headers, body: {} });
    expect(answer).toMatchObject({ status: 403, json: { detail: 'This port takes no requests from pages.' } });
    expect((await send(port, 'GET', COLLECTION, { headers })).status).toBe(200);
  });

  it('is as npm run smoke expects', async () => {
    const smoke = new Command(deploying, [
      'npm',
      'run',
      'smoke',
      '--',
      `http://localhost:${port}/swagger/ui`,
      '--wait=0',
    ]);
    expect([await smoke.code, smoke.printed]).toEqual([0, expect.not.stringContaining('FAILED')]);
    expect(smoke.printed).toContain('\nok      It is deleted, and found no more.\n');
  });
});

describe('npm start, if it cannot start, says why in one sentence:', () => {
  // These tests may run in a script of npm themselves.
  const { npm_lifecycle_event: script } = process.env;
  beforeEach(() => {
    delete process.env.npm_lifecycle_event;
  });
  afterAll(() => {
    if (script !== undefined) process.env.npm_lifecycle_event = script;
  });

  it('the table cannot be reached with the variables that there are', async () => {
    const PORT = String(await unusedPort());
    const variables = { PORT, TABLE_NAME: 'items', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '' };
    const command = new Command(deploying, [process.execPath, 'serverless/local/start.mjs'], variables);
    await expectFailure(command, WAITING, 'Error:', /^AWS_SECRET_ACCESS_KEY is not set/);
  });

  it('another program has its port', async () => {
    const server = createServer().unref();
    const [, port = ''] = (await listen(server)).split(':');
    /** Expects the port to be named, and after it the command that starts on another one. */
    const expectCommand = (isOption: boolean, command: RegExp) =>
      expect(checkPort(port, '127.0.0.1', isOption)).rejects.toThrow(new RegExp(`\\b${port}\\b.* ${command.source}$`));
    await expectCommand(false, /PORT=\d+ npx serverless offline/);
    await expectCommand(true, /(?<!=\d+ )npx serverless offline --httpPort \d+/);
    process.env.npm_lifecycle_event = 'start';
    await expectCommand(false, /PORT=\d+ npm start/);
    // PORT does not change what the option says.
    await expectCommand(true, /(?<!=\d+ )npm start -- --httpPort \d+/);
    server.close();
  });

  it.each(['', '0', '65536', '-1', '4000x', '4e3'])('%j is not a port', async (httpPort) => {
    const reason = new RegExp(`"${httpPort}".* 1 to 65535.* PORT=4000 npx serverless offline$`);
    await expect(checkPort(httpPort, '127.0.0.1')).rejects.toThrow(reason);
  });

  it('it may not write the build', async () => {
    const reason = /^The build can't be written here \(EACCES: permission denied\): make the folder your own/;
    await expectFailure(run(deploying, '--import tsx esbuild.ts', DENIED), reason);
  });
});
