import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, localTable } from '../../serverless/dynamodb.js';
import { choosePorts, freePort } from '../../serverless/ports.cjs';
import { listen } from '../support/listen.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import { expectOperation } from '../support/service/operations.js';
import type { Service } from '../support/service/service.js';
import { type Command, copyProject, type Server, startCommand, startServer, untilFree } from './command.js';
import { callTo } from './offline.js';

const WAITING = 'Building the service, and starting serverless-offline: this takes a few seconds.';
const project = copyProject();
/** What `npm start` runs. */
const START = [process.execPath, 'serverless/start.mjs'] as const;

describe('npm start', () => {
  let server: Server;
  let call: Service['call'];

  beforeAll(async () => {
    server = await startServer(project, ['npm', '--loglevel=silent', 'start', '--'], { LOG_LEVEL: 'silent' });
    call = callTo(server.port);
    await server.until('\n');
    expect(server.printed).toBe(`${WAITING}\n`);
    await server.until('Document');
  });

  it('prints the addresses of the page, the list and the document, where the collection is, and what differs from AWS', async () => {
    for (const path of ['/swagger/ui', COLLECTION, '/swagger/v1/swagger.json']) {
      expect(server.printed).toContain(`http://localhost:${server.port}${path}\n`);
      expect((await fetch(`http://127.0.0.1:${server.port}${path}`)).status).toBe(200);
    }
    expect(server.printed).toMatch(/in memory/);
    expect(server.printed).toMatch(/CORS_ORIGINS is not set/);
    expect(server.printed).not.toMatch(/serverless\.com|Offline \[http|λ|┌/);
  });

  it.each(OPERATIONS)('answers %s %s', async (method, path) => {
    await expectOperation({ prefix: '', call }, method, path);
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
    ['a megabyte of brackets', '['.repeat(2 ** 20), 'not valid JSON'],
  ])('answers 400 to a POST of %s, and says what is wrong', async (_name, body, detail) => {
    const answer = await call('POST', COLLECTION, { headers: { 'content-type': 'application/json' }, body });
    expect(answer).toMatchObject({ status: 400, json: { detail: expect.stringContaining(detail) } });
  });

  it('reads a body that the emulator encodes in base64, with its byte order mark and other characters', async () => {
    const headers = { 'content-type': 'application/octet-stream+json' };
    const members = { ...EXAMPLE, [Object.keys(EXAMPLE).at(-1) as string]: 'é' };
    const answer = await call('POST', COLLECTION, { headers, body: `\ufeff${JSON.stringify(members)}` });
    // An item has it, and so has the message that no other text is taken.
    expect(answer.text).toContain('é');
  });

  it('leaves no process running when npm is stopped', async () => {
    await server.stop();
    await untilFree(server.port);
  });
});

describe('npm run local', () => {
  const startLocal = async (...options: string[]) => {
    const server = await startServer(project, [...START, '--local', ...options]);
    await server.until('CORS_ORIGINS');
    const [, dynamodb = ''] = /is in the table local at (\S+)\.\n/.exec(server.printed) ?? [];
    return { server, dynamodb };
  };
  let location: string;
  let item: unknown;

  it('has a DynamoDB of its own, which takes no requests from pages, and ends when the service is killed', async () => {
    const { server, dynamodb } = await startLocal();
    const created = await callTo(server.port)('POST', COLLECTION, { body: EXAMPLE });
    location = created.headers.location as string;
    item = created.json;
    expect((await fetch(dynamodb, { headers: { origin: 'https://example.com' } })).status).toBe(403);
    await server.stop('SIGKILL');
    await untilFree(Number(new URL(dynamodb).port));
  });

  it('keeps the items; with --people, it prints commands with which two people see lists of their own', async () => {
    const { server, dynamodb } = await startLocal('--people');
    await server.until('The list of bob');
    const everybody = startDeployed(undefined, environmentOf(localTable('local', dynamodb)));
    expect((await everybody.call('GET', location)).json).toEqual(item);
    const [ada = '', bob = '', ...others] = server.printed.match(/^curl .*$/gm) ?? [];
    expect(others).toEqual([]);
    const run = async (line: string) => JSON.parse((await promisify(execFile)('bash', ['-c', `${line} -s`])).stdout);
    const created = await run(`${ada} --json '${JSON.stringify(EXAMPLE)}'`);
    expect(created).toMatchObject(EXAMPLE);
    expect(await run(ada)).toContainEqual(created);
    expect(await run(bob)).not.toContainEqual(created);
    const url = /http:\S+$/.exec(ada)?.[0] as string;
    expect((await fetch(url)).status).toBe(401);
    const [, issuer] = /a token of (\S+), and/.exec(server.printed) as RegExpExecArray;
    expect((await fetch(`${issuer}/token`, { headers: { origin: 'https://example.com' } })).status).toBe(403);
    // A provider that listened on all addresses of this machine would answer there, too.
    await expect(fetch(`${issuer?.replace('127.0.0.1', '127.0.0.2')}/token`)).rejects.toThrow('fetch failed');
  });
});

describe('npm start, if it cannot start, says why in one sentence:', () => {
  /** Makes Node.js run some code first. */
  const loading = (code: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` });
  const configured = { host: '127.0.0.1', httpPort: 3000, lambdaPort: 3002 };

  it('another program has its port', async () => {
    const server = createServer().unref();
    const [, port = ''] = (await listen(server)).split(':');
    const reason = `Port ${port} is taken. To start on another one:`;
    const command = startCommand(project, [...START, '--httpPort', port], { npm_lifecycle_event: 'start' });
    await expectFailure(command, WAITING, 'Error:', new RegExp(`^${reason} npm start -- --httpPort \\d+$`));
    const options = { httpPort: String(await freePort()), lambdaPort: port };
    const otherReason = new RegExp(`^${reason} npx serverless offline --lambdaPort \\d+$`);
    await expect(choosePorts(options, configured, undefined)).rejects.toThrow(otherReason);
    server.close();
  });

  it.each(['', '0', '65536', '-1', '4000x', '4e3'])('%j is not a port', async (httpPort) => {
    const reason = `The port is "${httpPort}": it takes a number from 1 to 65535, as in npx serverless offline --httpPort`;
    await expect(choosePorts({ httpPort }, configured, undefined)).rejects.toThrow(reason);
  });

  it('the table cannot be reached with the variables that there are', async () => {
    const environment = { TABLE_NAME: 'items', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '' };
    const reason = /^AWS_SECRET_ACCESS_KEY is not set/;
    await expectFailure(await startServer(project, START, environment), WAITING, 'Error:', reason);
  });

  it('TODO_TABLE is the former name of a variable', async () => {
    const command = await startServer(project, START, { TODO_TABLE: 'items' });
    expect(await command.code).toBe(1);
    expect(command.printed).toContain('TODO_TABLE is now called TABLE_NAME: set that instead');
  });

  it('it may not write the build', async () => {
    // Root may write into any folder, so the failure is planted.
    const fail = "() => Promise.reject(Object.assign(Error('EACCES: permission denied'), { code: 'EACCES' }))";
    const plant = `import fs from 'fs'; import { syncBuiltinESMExports as sync } from 'module'; fs.promises.mkdir = ${fail}; sync();`;
    const command = await startServer(project, START, loading(plant));
    const reason = /^The build can't be written here \(EACCES: permission denied\): make the folder your own/;
    await expectFailure(command, WAITING, reason, 'Error:', 'The service could not be built: see above.');
  });

  it.each(['18.20.8', '20.18.3'])('Node.js %s is too old', async (version) => {
    const plant = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const reason = new RegExp(`^This is Node.js ${version}: the service needs 20.19 or later.`);
    await expectFailure(startCommand(project, START, loading(plant)), reason);
  });
});

describe('every script, if packages are missing, says in one line what to run:', () => {
  const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const run = (name: string) => startCommand(project, ['sh', '-c', scripts[name]]);

  beforeAll(() => rmSync(join(project, 'node_modules'), { recursive: true }));

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

async function expectFailure(command: Command, ...lines: (string | RegExp)[]): Promise<void> {
  expect(await command.code).toBe(1);
  const expected = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
  expect(command.printed.trimEnd().split('\n')).toEqual(expected);
}
