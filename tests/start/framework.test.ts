import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { name as NAME } from '../../package.json';
import { listen } from '../support/listen.js';
import { COLLECTION } from '../support/service/documented.js';
import { copyProject, type Server, startCommand, startServer, untilFree, unusedPort } from './command.js';
import { send } from './offline.js';

/** Fresh clones, without a build. tests/deployment/package.test.ts packages in another. */
const project = copyProject(false);
const other = copyProject();

describe('npx serverless offline, in a fresh clone', () => {
  let server: Server;
  const INVOCATION = `/2015-03-31/functions/${NAME}-dev-api/invocations`;

  beforeAll(async () => {
    server = await startServer(project, ['npx', 'serverless', 'offline']);
    await server.until(`http://localhost:${server.port}${COLLECTION}`);
  });

  it.each(['localhost', '127.0.0.1:1', '[::1]', 'service.localhost:80', hostname().toUpperCase()])(
    'builds, and serves requests for the host %s',
    async (host) => {
      expect((await send(server.port, 'GET', COLLECTION, { headers: { host } })).status).toBe(200);
      const event = { httpMethod: 'GET', path: COLLECTION };
      const answer = await send(server.lambdaPort, 'POST', INVOCATION, { headers: { host }, body: event });
      expect(answer.json).toHaveProperty('statusCode', 200);
    },
  );

  it.each([
    'example.com',
    'localhost.example.com',
    'notlocalhost',
    '127.0.0.1.example.com:80',
    'localhost@example.com',
  ])('refuses requests for the host %s on both ports', async (host) => {
    const detail = expect.stringMatching(/^The Host header field/);
    for (const called of [server.port, server.lambdaPort]) {
      const answer = await send(called, 'POST', INVOCATION, { headers: { host, expect: '100-continue' }, body: {} });
      expect(answer).toMatchObject({ status: 403, json: { detail } });
    }
  });

  it.each([{ origin: 'https://example.com' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])(
    'refuses events that a page sends: %j',
    async (headers) => {
      const event = { httpMethod: 'POST', path: COLLECTION, body: '{"name":"planted"}' };
      const answer = await send(server.lambdaPort, 'POST', INVOCATION, { headers, body: event });
      expect(answer).toMatchObject({ status: 403, json: { detail: 'This port takes no requests from pages.' } });
      expect((await send(server.port, 'GET', COLLECTION, { headers })).text).not.toContain('planted');
    },
  );

  it('prints nothing of an event that controls the terminal', async () => {
    const event = { httpMethod: 'GET\u001b[2J', path: COLLECTION };
    expect((await send(server.lambdaPort, 'POST', INVOCATION, { body: event })).status).toBe(200);
    await server.until('GET\\u{1b}[2J');
  });

  it('leaves nothing running when npx is stopped', async () => {
    await server.stop();
    await untilFree(server.port);
  });
});

describe('npx serverless', () => {
  it('invoke local builds in a fresh clone, and answers a recorded event', async () => {
    const event = resolve('tests/support/gateways/events/rest-console-root.json');
    const options = ['--function', 'api', '--path', event] as const;
    const command = startCommand(other, ['npx', 'serverless', 'invoke', 'local', ...options]);
    expect(await command.code).toBe(0);
    expect(command.printed).toMatch(/"statusCode": 30\d/);
    expect(command.printed).toMatch(/"Location": ".*swagger\/ui"/);
  });

  it('offline start heeds PORT, CORS_ORIGINS and TABLE_NAME, and serves nothing of an old build', async () => {
    const old = "export const handler = async () => ({ statusCode: 200, body: 'old' });";
    mkdirSync(join(project, 'dist'), { recursive: true });
    writeFileSync(join(project, 'dist/api.mjs'), old);
    const port = await unusedPort();
    const environment = { PORT: String(port), CORS_ORIGINS: 'https://example.com', TABLE_NAME: 'none' };
    const lambdaPort = String(await unusedPort());
    const start = ['npx', 'serverless', 'offline', 'start', '--lambdaPort', lambdaPort] as const;
    const command = startCommand(project, start, environment);
    await command.until('The collection is in memory');
    const { status, text } = await send(port, 'GET', COLLECTION);
    expect(status).toBe(200);
    expect(text).not.toBe('old');
    expect(command.printed).not.toContain('CORS_ORIGINS');
  });
});

describe('an operation that answers a status which it does not declare', () => {
  const file = join(other, 'functions/swagger.ts');
  const code = readFileSync(file, 'utf8');
  const FAULT = /functions\/swagger\.ts\(\d+,\d+\): error TS\d+: .*302/s;

  beforeAll(() => {
    const planted = code.replace('answers: { 302: {} }', 'answers: { 200: {} }');
    expect(planted).not.toBe(code);
    writeFileSync(file, planted);
  });

  it.each([['deploy', '--stage=dev'] as const, ['deploy', 'function', '--function=api'] as const])(
    'is not deployed by npx serverless %s %s',
    async (...command) => {
      const called: string[] = [];
      const aws = createServer((request, response) => {
        called.push(`${request.method} ${request.url}`);
        response.end('{"Configuration":{}}');
      });
      const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
      const environment = { ...keys, AWS_ENDPOINT_URL: `http://${await listen(aws)}` };
      const deployment = startCommand(other, ['npx', 'serverless', ...command], environment);
      expect(await deployment.code).toBe(1);
      aws.close();
      expect(deployment.printed).toMatch(FAULT);
      expect(deployment.printed).toContain('The types are not right: see above.');
      expect(called.filter((call) => !/^(GET|POST \/$)/.test(call))).toEqual([]);
    },
  );

  it('fails npm run check, which checks the types like npm test', async () => {
    const { test, check } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    for (const script of [test, check]) expect(script).toContain('tsc && tsc --project docs/page && ');
    const run = async () => {
      const command = startCommand(other, ['npm', 'run', 'check']);
      return { code: await command.code, printed: command.printed };
    };
    expect((await run()).printed).toMatch(FAULT);
    writeFileSync(file, code);
    writeFileSync(join(other, 'functions/added.ts'), 'export const  spaces = 2\n');
    expect(await run()).toEqual({ code: 1, printed: expect.stringMatching(/functions\/added\.ts format/) });
  });
});
