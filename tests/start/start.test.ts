import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { choosePorts, freePort } from '../../serverless/ports.cjs';
import { listen } from '../support/listen.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import { type Command, copyProject, startCommand } from './command.js';
import { callTo } from './offline.js';

const WAITING = 'Building the service, and starting serverless-offline: this takes a few seconds.';
const project = copyProject();
const running: Command[] = [];

afterEach(async () => {
  for (const command of running.splice(0)) await command.stop();
});

describe('npm start', () => {
  let command: Command;
  let port: number;
  let call: Service['call'];

  beforeAll(async () => {
    port = await freePort();
    call = callTo(port);
    command = startCommand(project, await commandOn(port), { LOG_LEVEL: 'silent' });
    await command.until('\n');
    expect(command.printed).toBe(`${WAITING}\n`);
    await command.until('Document');
  });

  afterAll(async () => {
    await command.stop();
  });

  it('prints the addresses of the page, the list and the document, where the collection is, and what differs from AWS', async () => {
    for (const path of ['/swagger/ui', COLLECTION, '/swagger/v1/swagger.json']) {
      expect(command.printed).toContain(`http://localhost:${port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200);
    }
    expect(command.printed).toMatch(/in memory/);
    expect(command.printed).toMatch(/CORS_ORIGINS is not set/);
    expect(command.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
  });

  it.each(OPERATIONS)('answers %s %s', async (method, template) => {
    const created = await call('POST', COLLECTION, { body: EXAMPLE });
    expect(created).toMatchObject({ status: 201, json: EXAMPLE });
    const { key } = created.json;
    expect(created.headers.location).toBe(`${COLLECTION}/${key}`);
    const body = /^P/.test(method) && { body: { ...EXAMPLE, key } };
    const { status } = await call(method, template.replace('{id}', key), { ...body });
    expect(status).toBeLessThan(300);
    const isListed = JSON.stringify((await call('GET', COLLECTION)).json).includes(key);
    expect(isListed).toBe(method !== 'DELETE');
  });

  it('has one collection for all requests: after 200 parallel POSTs, all items are in the list', async () => {
    const posts = Array.from({ length: 200 }, () => call('POST', COLLECTION, { body: EXAMPLE }));
    const created = (await Promise.all(posts)).map(({ json }) => json);
    expect((await call('GET', COLLECTION)).json).toEqual(expect.arrayContaining(created));
  });

  it.each([
    `${COLLECTION.toUpperCase()}/`,
    COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    `${COLLECTION}?x=1`,
  ])('finds the list at %s', async (path) => {
    expect((await call('GET', path)).status).toBe(200);
  });

  it('answers HEAD and OPTIONS', async () => {
    expect(await call('HEAD', COLLECTION)).toMatchObject({ status: 200, text: '' });
    const options = await call('OPTIONS', COLLECTION);
    expect(options).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, OPTIONS, POST' } });
  });

  it.each([
    ['nothing', '', 'missing'],
    ['a number', '7', 'Send a JSON object'],
    ['half an object', '{"', 'not valid JSON'],
    ['a megabyte of brackets', '['.repeat(2 ** 20), 'not valid JSON'],
  ])('answers 400 to a POST of %s, and says what is wrong', async (_name, body, detail) => {
    const answer = await call('POST', COLLECTION, { headers: { 'content-type': 'application/json' }, body });
    expect(answer).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
  });

  it('takes a body that the emulator encodes in base64', async () => {
    const headers = { 'content-type': 'application/octet-stream+json' };
    const answer = await call('POST', COLLECTION, { headers, body: `\ufeff${JSON.stringify(EXAMPLE)}` });
    expect(answer).toMatchObject({ status: 201, json: EXAMPLE });
  });

  it('leaves no process running when it is killed', async () => {
    await command.stop('SIGKILL');
    await untilFree(port);
  });
});

describe('npm start, configured by variables', () => {
  it('heeds PORT, CORS_ORIGINS and TABLE_NAME, and leaves no process running when npm is stopped', async () => {
    const port = await freePort();
    const lambdaPort = ['--', '--lambdaPort', String(await freePort())];
    const environment = { PORT: String(port), CORS_ORIGINS: 'https://example.com', TABLE_NAME: 'none' };
    const command = startCommand(project, ['npm', 'start', ...lambdaPort], environment);
    running.push(command);
    await command.until(`http://localhost:${port}${COLLECTION}`);
    await command.until('The collection is in memory');
    expect((await fetch(`http://127.0.0.1:${port}${COLLECTION}`)).status).toBe(200);
    expect(command.printed).not.toContain('CORS_ORIGINS');
    await command.stop();
    await untilFree(port);
  });
});

describe('npm run local', () => {
  it('keeps the items in a DynamoDB of its own, which takes no requests from pages', async () => {
    const port = await freePort();
    const local = async () => {
      const command = startCommand(project, [...(await commandOn(port)), '--local']);
      running.push(command);
      await command.until('is in the table local');
      await command.until('Document');
      return command;
    };
    const first = await local();
    const { headers, json } = await callTo(port)('POST', COLLECTION, { body: EXAMPLE });
    const [, dynamodb] = /the table local at (\S+)\.\n/.exec(first.printed) as RegExpExecArray;
    expect((await fetch(dynamodb as string, { headers: { origin: 'https://example.com' } })).status).toBe(403);
    await first.stop();
    await local();
    expect((await callTo(port)('GET', headers.location as string)).json).toEqual(json);
  });

  it('with --people, prints commands with which two people see lists of their own', async () => {
    const port = await freePort();
    const command = startCommand(project, [...(await commandOn(port)), '--local', '--people']);
    running.push(command);
    await command.until('The list of bob');
    await command.until('CORS_ORIGINS');
    const [ada = '', bob = '', ...others] = command.printed.match(/^curl .*$/gm) ?? [];
    expect(others).toEqual([]);
    const run = async (line: string) => JSON.parse((await promisify(execFile)('bash', ['-c', `${line} -s`])).stdout);
    const created = await run(`${ada} --json '${JSON.stringify(EXAMPLE)}'`);
    expect(created).toMatchObject(EXAMPLE);
    expect(await run(ada)).toContainEqual(created);
    expect(await run(bob)).not.toContainEqual(created);
    const url = /http:\S+$/.exec(ada)?.[0] as string;
    expect((await fetch(url)).status).toBe(401);
    const [, issuer] = /a token of (\S+), and/.exec(command.printed) as RegExpExecArray;
    expect((await fetch(`${issuer}/token`, { headers: { origin: 'https://example.com' } })).status).toBe(403);
  });
});

describe('npm start, if it cannot start, says why in one sentence:', () => {
  it.each(['httpPort', 'lambdaPort'])('another program has its --%s', async (option) => {
    const server = createServer().unref();
    const [, port = ''] = (await listen(server)).split(':');
    const [other, free] = [option === 'httpPort' ? 'lambdaPort' : 'httpPort', String(await freePort())];
    const reason = new RegExp(`^Port ${port} is taken. To start on another one: npm start -- --${option} \\d+$`);
    const environment = { npm_lifecycle_event: 'start' };
    await expectFailure(start([`--${option}`, port, `--${other}`, free], environment), WAITING, 'Error:', reason);
    server.close();
  });

  it.each(['', '0', '65536', '-1', '4000x', '4e3'])('%j is not a port', async (httpPort) => {
    const reason = `The port is "${httpPort}": it takes a number from 1 to 65535, as in npx serverless offline --httpPort`;
    const configured = { host: '127.0.0.1', httpPort: 3000, lambdaPort: 3002 };
    await expect(choosePorts({ httpPort }, configured, undefined)).rejects.toThrow(reason);
  });

  it('the table cannot be reached with the variables that there are', async () => {
    const environment = { TABLE_NAME: 'items', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '' };
    const command = startCommand(project, await commandOn(await freePort()), environment);
    await expectFailure(command, WAITING, 'Error:', /^AWS_SECRET_ACCESS_KEY is not set/);
  });

  it('TODO_TABLE is the former name of a variable', async () => {
    const command = start([], { TODO_TABLE: 'items' });
    expect(await command.code).toBe(1);
    expect(command.printed).toContain('TODO_TABLE is now called TABLE_NAME: set that instead');
  });

  it('it may not write the build', async () => {
    // Root may write into any folder, so the failure is planted.
    const fail = "() => Promise.reject(Object.assign(Error('EACCES: permission denied'), { code: 'EACCES' }))";
    const plant = `import fs from 'fs'; import { syncBuiltinESMExports as sync } from 'module'; fs.promises.mkdir = ${fail}; sync();`;
    const command = startCommand(project, await commandOn(await freePort()), loading(plant));
    const reason = /^The build can't be written here \(EACCES: permission denied\): make the folder your own/;
    await expectFailure(command, WAITING, reason, 'Error:', 'The service could not be built: see above.');
  });

  it.each(['18.20.8', '20.18.3'])('Node.js %s is too old', async (version) => {
    const plant = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const reason = new RegExp(`^This is Node.js ${version}: the service needs 20.19 or later.`);
    await expectFailure(start([], loading(plant)), reason);
  });
});

describe('every script, if packages are missing, says in one line what to run:', () => {
  const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const run = (name: string) => {
    const command = startCommand(project, ['npm', 'run', '--silent', '--loglevel=silent', name]);
    running.push(command);
    return command;
  };

  beforeAll(() => rmSync(join(project, 'node_modules')));

  it.each(Object.keys(scripts))('%s, before any installation', async (name) => {
    await expectFailure(run(name), 'The packages are not installed: run npm ci, and then this command again.');
  });

  it.each(['dev', 'local', 'test', 'check', 'docs', 'bench', 'long'])('%s, after npm ci --omit=dev', async (name) => {
    for (const needed of Object.keys(dependencies)) {
      mkdirSync(join(project, 'node_modules', needed), { recursive: true });
    }
    await expectFailure(run(name), /^The packages for development are not installed: run npm ci without --omit=dev/);
  });
});

/** The command that `npm start` runs, on ports that no other test uses. */
async function commandOn(port: number): Promise<[string, ...string[]]> {
  const ports = ['--httpPort', String(port), '--lambdaPort', String(await freePort())];
  return [process.execPath, 'serverless/start.mjs', ...ports];
}

/** Starts a command. It is stopped after the test, even if that fails. */
function start(options: readonly string[] = [], environment: Record<string, string> = {}): Command {
  const command = startCommand(project, [process.execPath, 'serverless/start.mjs', ...options], environment);
  running.push(command);
  return command;
}

async function expectFailure(command: Command, ...lines: (string | RegExp)[]): Promise<void> {
  expect(await command.code).toBe(1);
  const expected = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
  expect(command.printed.trimEnd().split('\n')).toEqual(expected);
}

async function untilFree(port: number): Promise<void> {
  while ((await freePort(port)) !== port) await setTimeout(20);
}

/** The environment variable that makes Node.js run some code first. */
function loading(code: string): Record<string, string> {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}
