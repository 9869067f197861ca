import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, localTable } from '../../serverless/local/dynamodb.js';
import { openShell } from '../support/guide-shell.js';
import { listen } from '../support/listen.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Command, copyProject, expectFailure, install, send, untilFree, unusedPort } from './command.js';

/** Where serverless-offline has its second port by default, and where the first start has its provider. */
const TAKEN = [3002, 3003];
const project = copyProject();
/** Nothing of it is read: the home of shells that run printed commands. */
const home = temporaryFolder();

beforeAll(() => install(project));

describe('npx serverless offline start --local --people --host, with PORT and CORS_ORIGINS', () => {
  let command: Command;
  let port: number;
  let dynamodb: string;
  const taken: number[] = [];
  let item: typeof EXAMPLE;

  beforeAll(async () => {
    const earlier = fork('serverless/local/backing.ts', { cwd: project, execArgv: ['--import', 'tsx'] });
    const [{ environment }] = await once(earlier, 'message');
    item = (await startDeployed(undefined, environment).call('POST', COLLECTION, { body: EXAMPLE })).json;
    earlier.disconnect();
    await once(earlier, 'exit');
    port = await unusedPort();
    const options = ['--local', '--people', '--host', '127.0.0.1'];
    const variables = { PORT: String(port), CORS_ORIGINS: 'https://example.com', TOKEN_WRITE_SCOPE: 'todo/write' };
    for (const port of TAKEN) {
      const server = createServer().unref();
      if (await listen(server, port).catch(() => undefined)) taken.push(port);
    }
    command = new Command(project, ['npx', 'serverless', 'offline', 'start', ...options], variables);
    await command.until(`${port}${COLLECTION}\n`);
    await command.until('The list of bob');
    [, dynamodb = ''] = /are in the table local at (\S+)\.\n/.exec(command.printed) ?? [];
  });

  // Neither the service nor the DynamoDB is left running when npx is stopped.
  afterAll(async () => {
    await command.stop();
    for (const left of [port, Number(new URL(dynamodb).port)]) await untilFree(left);
  });

  it('has a DynamoDB of its own, which keeps the items and takes no requests from pages', async () => {
    const { call } = startDeployed(undefined, environmentOf(localTable('local', dynamodb)));
    expect((await call('GET', `${COLLECTION}/${item.key}`)).json).toEqual(item);
    expect((await fetch(dynamodb, { headers: { origin: 'https://example.com' } })).status).toBe(403);
    expect(command.printed).not.toContain('CORS_ORIGINS');
  });

  it('starts while other starts have the ports that it would take first, and says that lists are others then', () => {
    const [, issuerPort = ''] = /Each caller needs a token of http:\/\/127\.0\.0\.1:(\d+)/.exec(command.printed) ?? [];
    const told = `Port 3003 is in use, so people sign in at port ${issuerPort}. Lists that were made with another port`;
    // Another test may have had it, and have ended before this start.
    expect(command.printed.includes(told)).toBe(issuerPort !== '3003');
    // Another process that had one of them may have ended meanwhile.
    for (const port of taken) expect(command.printed).not.toMatch(new RegExp(`:${port}\\b`));
  });

  it('is called by pages of its own origin and of CORS_ORIGINS, and by no others, whose calls browsers do not mark there', async () => {
    const statusOf = async (method: string, headers: Record<string, string>) =>
      (await send(port, method, COLLECTION, { headers: { host: `127.0.0.1:${port}`, ...headers } })).status;
    for (const method of ['GET', 'POST']) {
      for (const origin of [`http://127.0.0.1:${port}`, 'https://example.com'])
        expect([origin, await statusOf(method, { origin })]).toEqual([origin, 401]);
      for (const origin of ['http://example.com', 'http://127.0.0.1:1', `http://localhost:${port}`, 'null'])
        expect([origin, await statusOf(method, { origin })]).toEqual([origin, 403]);
    }
    // What the browser marks is for the service to decide.
    expect(await statusOf('GET', { origin: 'http://example.com', 'sec-fetch-site': 'cross-site' })).toBe(401);
  });

  it('answers for any name of this machine, which the network knows then', async () => {
    for (const host of [hostname().toUpperCase(), `127.0.0.1:${port}`, 'localhost'])
      expect([host, (await send(port, 'GET', COLLECTION, { headers: { host } })).status]).toEqual([host, 401]);
    expect((await send(port, 'GET', COLLECTION, { headers: { host: 'example.com' } })).status).toBe(403);
  });

  it('lets out the CORS fields that the function answers, and no others', async () => {
    const { TOKEN_ISSUER = '' } = { TOKEN_ISSUER: /a token of (\S+)\. /.exec(command.printed)?.[1] };
    const deployed = startDeployed(undefined, {
      ...environmentOf(localTable('local', dynamodb)),
      ...{
        CORS_ORIGINS: 'https://example.com',
        TOKEN_ISSUER,
        TOKEN_AUDIENCE: 'local',
        TOKEN_WRITE_SCOPE: 'todo/write',
      },
    });
    const origin = 'https://example.com';
    const preflight = {
      origin,
      'access-control-request-method': 'PATCH',
      'access-control-request-headers': 'if-match',
    };
    for (const [method, headers] of [
      ['GET', { origin }],
      ['OPTIONS', preflight],
    ] as const) {
      const [here, there] = [
        await send(port, method, COLLECTION, { headers }),
        await deployed.call(method, COLLECTION, { headers }),
      ];
      const corsOf = (answer: typeof here) =>
        Object.entries(answer.headers)
          .filter(([name]) => name.startsWith('access-control'))
          .sort();
      expect([method, here.status, corsOf(here)]).toEqual([method, there.status, corsOf(there)]);
      expect(corsOf(here)).toContainEqual(['access-control-allow-origin', origin]);
    }
  });

  it('starts no second time in the same folder, and says in a sentence why', async () => {
    const second = new Command(project, [process.execPath, '--import', 'tsx', 'serverless/local/backing.ts']);
    const reason =
      /^The items in \.dynamodb\/ are in use: npm run local is running in this folder already\. Stop that one/;
    await expectFailure(second, reason);
  });

  it('prints commands with which two people see lists of their own; only this machine can get their tokens', async () => {
    const lines = command.printed.match(/^curl .*$/gm) ?? [];
    expect(lines).toHaveLength(2);
    const [ada = '', bob = ''] = lines;
    const shell = openShell(home, { tools: ['curl'] });
    const run = async (line: string) => JSON.parse(await shell(`${line} -s`));
    const created = await run(`${ada} --json '${JSON.stringify(EXAMPLE)}'`);
    expect(created).toMatchObject(EXAMPLE);
    expect(await run(ada)).toContainEqual(created);
    expect(await run(bob)).not.toContainEqual(created);
    expect((await fetch(/http:\S+$/.exec(ada)?.[0] as string)).status).toBe(401);
    const [, issuer] = /a token of (\S+)\. /.exec(command.printed) ?? [];
    expect((await fetch(`${issuer}/token`, { headers: { origin: 'https://example.org' } })).status).toBe(403);
    // A provider that listened on all addresses of this machine would answer there, too.
    await expect(fetch(`${issuer?.replace('127.0.0.1', '127.0.0.2')}/token`)).rejects.toThrow('fetch failed');
  });

  it('signs bob in on its page, and on pages of CORS_ORIGINS: the token that they get is for his list', async () => {
    const [, issuer = ''] = /a token of (\S+)\. /.exec(command.printed) ?? [];
    const [, bobs = ''] = command.printed.match(/(?<=Bearer )[^']+/g) ?? [];
    const listOf = async (token: string) =>
      (await send(port, 'GET', COLLECTION, { headers: { authorization: `Bearer ${token}` } })).json;
    for (const origin of [`http://localhost:${port}`, `http://127.0.0.1:${port}`, 'https://example.com']) {
      const [client_id, redirect_uri, verifier] = ['page', `${origin}/swagger/ui`, 'a verifier'];
      const code_challenge = createHash('sha256').update(verifier).digest('base64url');
      const asked = { response_type: 'code', client_id, redirect_uri, code_challenge, code_challenge_method: 'S256' };
      const url = `${issuer}/authorize?${new URLSearchParams({ ...asked, login_hint: 'bob' })}`;
      const { searchParams } = new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') as string);
      const redeemed = { grant_type: 'authorization_code', client_id, redirect_uri, code_verifier: verifier };
      const body = new URLSearchParams({ ...redeemed, code: searchParams.get('code') as string });
      const response = await fetch(`${issuer}/token`, { method: 'POST', headers: { origin }, body });
      const { access_token: token } = (await response.json()) as { access_token: string };
      expect(await listOf(token)).toEqual(await listOf(bobs));
    }
  });

  it('is as npm run smoke expects, as nobody, as somebody, and for pages of CORS_ORIGINS', async () => {
    const [SMOKE_TOKEN = ''] = command.printed.match(/(?<=Bearer )[^']+/) ?? [];
    const options = [`http://127.0.0.1:${port}`, '--people', '--origin=https://example.com', '--wait=0'];
    const smoke = new Command(project, ['npm', 'run', 'smoke', '--', ...options], { SMOKE_TOKEN });
    expect([await smoke.code, smoke.printed]).toEqual([0, expect.not.stringContaining('FAILED')]);
    expect(smoke.printed).not.toContain(SMOKE_TOKEN);
    for (const line of ['It lets in', 'Pages of the expected origin', 'It is deleted'])
      expect(smoke.printed).toContain(`\nok      ${line}`);
  });
});
