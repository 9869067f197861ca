import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { name as NAME } from '../../package.json';
import { freePort } from '../../serverless/ports.cjs';
import { listen } from '../support/listen.js';
import { COLLECTION } from '../support/service/documented.js';
import { type Command, copyProject, startCommand } from './command.js';
import { send } from './offline.js';

const project = copyProject();
const dist = join(project, 'dist');
const running: Command[] = [];

/** Installs the packages that `npm ci --omit=dev` does, or those that it leaves out. */
function install(isForDevelopment: boolean): void {
  const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const all = readdirSync('node_modules').flatMap((name) =>
    name.startsWith('@') ? readdirSync(join('node_modules', name)).map((below) => join(name, below)) : [name],
  );
  for (const name of all.filter((name) => name in devDependencies === isForDevelopment)) {
    const [from, to] = [resolve('node_modules', name), join(project, 'node_modules', name)];
    mkdirSync(dirname(to), { recursive: true });
    // The paths of bundled packages are in the source map.
    if (['aws4', 'jose', 'uuid'].includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
}

beforeAll(() => {
  rmSync(join(project, 'node_modules'));
  install(false);
});

afterEach(async () => {
  for (const command of running.splice(0)) await command.stop();
});

function serverless(...options: string[]): Command {
  const command = startCommand(project, ['npx', 'serverless', ...options], ENVIRONMENT);
  running.push(command);
  return command;
}

const ENVIRONMENT = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };

describe('in a fresh clone', () => {
  beforeEach(() => rmSync(dist, { recursive: true, force: true }));

  it('npx serverless package builds, and the package is the same byte for byte in any folder', async () => {
    const { code } = serverless('package');
    expect(await code).toBe(0);
    expectPackage();
  });

  it('npx serverless invoke local builds, and answers a recorded event', async () => {
    const event = resolve('tests/support/gateways/events/rest-console-root.json');
    const command = serverless('invoke', 'local', '--function', 'api', '--path', event);
    expect(await command.code).toBe(0);
    expect(command.printed).toMatch(/"statusCode": 30\d/);
    expect(command.printed).toMatch(/"Location": ".*swagger\/ui"/);
  });
});

describe('npx serverless offline, in a fresh clone', () => {
  let command: Command;
  let [port, lambdaPort] = [0, 0];
  const INVOCATION = `/2015-03-31/functions/${NAME}-dev-api/invocations`;

  beforeAll(async () => {
    rmSync(dist, { recursive: true, force: true });
    [port, lambdaPort] = [await freePort(), await freePort()];
    const ports = ['--httpPort', String(port), '--lambdaPort', String(lambdaPort)];
    command = startCommand(project, ['npx', 'serverless', 'offline', ...ports]);
    await command.until(`http://localhost:${port}${COLLECTION}`);
  });

  afterAll(() => command.stop());

  it.each(['localhost', '127.0.0.1:1', '[::1]', 'service.localhost:80', hostname().toUpperCase()])(
    'builds, and serves requests for the host %s',
    async (host) => {
      expect((await send(port, 'GET', COLLECTION, { headers: { host } })).status).toBe(200);
      const event = { httpMethod: 'GET', path: COLLECTION };
      const answer = await send(lambdaPort, 'POST', INVOCATION, { headers: { host }, body: event });
      expect(answer.json).toHaveProperty('statusCode', 200);
    },
  );

  it.each(['example.com', 'localhost.example.com', '127.0.0.1.example.com:80', 'localhost@example.com', '192.0.2.1'])(
    'refuses requests for the host %s on both ports',
    async (host) => {
      for (const called of [port, lambdaPort]) {
        const answer = await send(called, 'POST', INVOCATION, { headers: { host, expect: '100-continue' }, body: {} });
        expect(answer).toMatchObject({
          status: 403,
          json: { detail: expect.stringMatching(/^The Host header field/) },
        });
      }
    },
  );

  it.each([{ origin: 'https://example.com' }, { origin: 'null' }, { 'sec-fetch-site': 'same-site' }])(
    'refuses events that a page sends: %j',
    async (headers) => {
      const event = { httpMethod: 'POST', path: COLLECTION, body: '{"name":"planted"}' };
      const answer = await send(lambdaPort, 'POST', INVOCATION, { headers, body: event });
      expect(answer).toMatchObject({ status: 403, json: { detail: 'This port takes no requests from pages.' } });
      expect((await send(port, 'GET', COLLECTION, { headers })).text).not.toContain('planted');
    },
  );

  it('prints nothing of an event that controls the terminal', async () => {
    const event = { httpMethod: 'GET\u001b[2J', path: COLLECTION };
    expect((await send(lambdaPort, 'POST', INVOCATION, { body: event })).status).toBe(200);
    await command.until('GET\\u{1b}[2J');
  });

  it('leaves nothing running when npx is stopped', async () => {
    await command.stop();
    while ((await freePort(port)) !== port) await setTimeout(20);
  });
});

describe('with an old build', () => {
  beforeEach(() => {
    mkdirSync(dist, { recursive: true });
    for (const name of ['api.mjs', 'old.mjs']) {
      writeFileSync(join(dist, name), "export const handler = async () => ({ statusCode: 200, body: 'old' });");
    }
  });

  it('npx serverless package packages nothing of it', async () => {
    const { code } = serverless('package');
    expect(await code).toBe(0);
    expectPackage();
  });

  it('npx serverless offline start serves nothing of it', async () => {
    const port = await freePort();
    const command = serverless(
      'offline',
      'start',
      '--httpPort',
      String(port),
      '--lambdaPort',
      String(await freePort()),
    );
    await command.until(`http://localhost:${port}${COLLECTION}`);
    expect((await send(port, 'GET', COLLECTION)).text).not.toBe('old');
  });
});

describe('an operation that answers a status which it does not declare', () => {
  const file = join(project, 'functions/swagger.ts');
  const code = readFileSync(file, 'utf8');
  const FAULT = /functions\/swagger\.ts\(\d+,\d+\): error TS\d+: .*302/s;

  beforeAll(() => {
    const planted = code.replace('answers: { 302: {} }', 'answers: { 200: {} }');
    expect(planted).not.toBe(code);
    writeFileSync(file, planted);
  });

  it.each([
    ['package', '--stage=dev'],
    ['deploy', '--stage=dev'],
    ['deploy function', '--function=api'],
  ])('is not deployed by npx serverless %s %s', async (command, option) => {
    const called: string[] = [];
    const aws = createServer((request, response) => {
      called.push(`${request.method} ${request.url}`);
      response.end('{"Configuration":{}}');
    });
    const environment = { ...ENVIRONMENT, AWS_ENDPOINT_URL: `http://${await listen(aws)}` };
    const deployment = startCommand(project, ['npx', 'serverless', ...command.split(' '), option], environment);
    expect(await deployment.code).toBe(1);
    aws.close();
    expect(deployment.printed).toMatch(FAULT);
    expect(deployment.printed).toContain('The types are not right: see above.');
    expect(called.filter((call) => !/^(GET|POST \/$)/.test(call))).toEqual([]);
  });

  it('fails npm run check, which checks the types like npm test', async () => {
    const { test, check } = JSON.parse(readFileSync('package.json', 'utf8')).scripts;
    for (const script of [test, check]) expect(script).toContain('tsc && tsc --project docs/page && ');
    install(true);
    const run = async () => {
      const command = startCommand(project, ['npm', 'run', 'check']);
      return { code: await command.code, printed: command.printed };
    };
    expect((await run()).printed).toMatch(FAULT);
    writeFileSync(file, code);
    writeFileSync(join(project, 'functions/added.ts'), 'export const  spaces = 2\n');
    expect(await run()).toEqual({ code: 1, printed: expect.stringMatching(/functions\/added\.ts format/) });
  });
});

function expectPackage(): void {
  const zip = new AdmZip(join(project, `.serverless/${NAME}.zip`)).getEntries();
  const entries = zip.filter(({ isDirectory }) => !isDirectory);
  const built = readdirSync('dist', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(entries.map(({ entryName }) => entryName).sort()).toEqual(
    built.map(({ parentPath, name }) => join(parentPath, name)).sort(),
  );
  const differing = entries.filter((entry) => !entry.getData().equals(readFileSync(entry.entryName)));
  expect(differing.map(({ entryName }) => entryName)).toEqual([]);
}
