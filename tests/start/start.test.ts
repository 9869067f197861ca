import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { environmentOf, localTable } from '../../serverless/local/dynamodb.js';
import { checkPort } from '../../serverless/local/ports.js';
import { openShell } from '../support/guide-shell.js';
import { listen } from '../support/listen.js';
import { matchesDeployed, startDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import { expectOperation } from '../support/service/operations.js';
import type { Service } from '../support/service/service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Command, copyProject, install, send, untilFree, unusedPort } from './command.js';

const WAITING = 'Building the service, and starting serverless-offline: this takes a few seconds.';
// Root may write into any folder, so the failure is planted.
const DENIED = `
  import fs from 'fs';
  import { syncBuiltinESMExports } from 'module';
  fs.promises.mkdir = () => Promise.reject(Object.assign(Error('EACCES: permission denied'), { code: 'EACCES' }));
  syncBuiltinESMExports();`;
/** Where serverless-offline has its second port by default, and where the first start has its provider. */
const TAKEN = [3002, 3003];
/** Copies without packages, with those of `npm ci --omit=dev`, and with all: what is started in one of them builds there. */
const [bare, deploying, project] = [copyProject(), copyProject(), copyProject()];
/** Nothing of it is read: the home of shells that run printed commands. */
const home = temporaryFolder();

beforeAll(() => {
  install(deploying, false);
  install(project);
});

/** Runs a file of a copy, and some code before it. */
function run(folder: string, file: string, code = ''): Command {
  const before = `--import=data:text/javascript,${encodeURIComponent(code)}`;
  return new Command(folder, [process.execPath, before, ...file.split(' ')]);
}

async function expectFailure(command: Command, ...lines: (string | RegExp)[]): Promise<void> {
  expect(await command.code).toBe(1);
  const expected = lines.map((line) => (typeof line === 'string' ? line : expect.stringMatching(line)));
  expect(command.printed.trimEnd().split('\n')).toEqual(expected);
}

describe('every script says in one line what to do', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
  /** What anybody may do after `npm ci --omit=dev`. */
  const DEPLOYING = ['start', 'build', 'deploy', 'rollback', 'smoke'];
  const developing = Object.keys(scripts).filter((name) => !DEPLOYING.includes(name));
  const nothing = openShell(temporaryFolder(), { tools: ['node'] });
  const saying = (name: string) => `#!/bin/sh\necho "${name}${'$'}{*:+ $*}"\n`;
  const standIns = Object.fromEntries(
    ['biome', 'jest', 'npm', 'serverless', 'tsc', 'tsx'].map((name) => [name, saying(name)]),
  );
  const everything = openShell(temporaryFolder(), { standIns, tools: ['node'] });

  /** How some of them end in a copy where no other program is found than Node.js. */
  const ends = (folder: string, names: readonly string[]) =>
    Promise.all(
      names.map((name) =>
        nothing(`cd '${folder}' && ${scripts[name]}`).then(
          (printed) => [name, 0, printed],
          ({ code, stdout, stderr }) => [name, code, `${stdout}${stderr}`],
        ),
      ),
    );

  it('before any installation', async () => {
    const names = Object.keys(scripts);
    const reason = 'The packages are not installed: run npm ci, and then this command again.\n';
    expect(await ends(bare, names)).toEqual(names.map((name) => [name, 1, reason]));
  });

  it('after npm ci --omit=dev, if it needs more than what starts, builds, deploys and tries a stage', async () => {
    const reason = expect.stringMatching(
      /^The packages for development are not installed: run npm ci without --omit=dev.*\n$/,
    );
    expect(await ends(deploying, developing)).toEqual(developing.map((name) => [name, 1, reason]));
    expect(await ends(deploying, ['smoke'])).toEqual([['smoke', 1, expect.stringMatching(/^It takes one URL/)]]);
    for (const name of ['build', 'deploy', 'rollback'])
      expect([name, await everything(`cd '${deploying}' && ${scripts[name]}`)]).toEqual([
        name,
        expect.stringMatching(/^(tsx|serverless) .*\n$/),
      ]);
  });

  it('npm test and npm run check begin with the types, and npm run check takes no warnings', async () => {
    const called = async (name: string) => (await everything(`cd '${project}' && ${scripts[name]}`)).split('\n');
    const types = [
      'tsc',
      'tsc --project docs/page',
      // <to-dos>
      'tsc --project docs/front-end',
      // </to-dos>
    ];
    expect((await called('test')).slice(0, types.length)).toEqual(types);
    expect(await called('check')).toEqual([...types, 'biome check --error-on-warnings .', '']);
  });

  it.each(['18.20.8', '20.18.3'])('if Node.js %s is too old', async (version) => {
    const plant = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`;
    const reason = new RegExp(`^This is Node.js ${version}: the service needs 20.19 or later.`);
    await expectFailure(run(bare, 'serverless/local/start.mjs', plant), reason);
  });
});

describe('npm start, after npm ci --omit=dev', () => {
  let command: Command;
  let port: number;
  let lambdaPort: number;
  const call: Service['call'] = async (method, path, sent) =>
    matchesDeployed(method, path, await send(port, method, path, sent));

  beforeAll(async () => {
    mkdirSync(join(deploying, 'dist'));
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
    expect(command.printed).toMatch(/in memory.*Pages of other origins cannot read what the API answers, as on AWS/s);
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
    expect(await call('HEAD', COLLECTION)).toMatchObject({ status: 200, text: '' });
    expect(await call('OPTIONS', COLLECTION)).toMatchObject({ status: 204 });
    expect((await call('POST', COLLECTION)).json.detail).toContain('missing');
    // The emulator encodes it in base64. An item has the text, and so has the message that no other text is taken.
    const headers = { 'content-type': 'application/octet-stream+json' };
    const members = { ...EXAMPLE, [Object.keys(EXAMPLE).at(-1) as string]: 'é' };
    const answer = await call('POST', COLLECTION, { headers, body: `\ufeff${JSON.stringify(members)}` });
    expect(answer.text).toContain('é');
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
    const smoke = new Command(project, [
      'npm',
      'run',
      'smoke',
      '--',
      `http://localhost:${port}/swagger/ui`,
      '--wait=0',
    ]);
    expect([await smoke.code, smoke.printed]).toEqual([0, expect.not.stringContaining('FAILED')]);
    expect(smoke.printed).toContain('\nok      The item is deleted, and found no more.\n');
  });
});

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
    [, dynamodb = ''] = /is in the table local at (\S+)\.\n/.exec(command.printed) ?? [];
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
    const told = `Port 3003 is taken, so people sign in at port ${issuerPort}. They have other lists there`;
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
    for (const line of [
      'Without a token, nobody sees a list',
      'Pages of https://example.com may',
      'The item is deleted',
    ])
      expect(smoke.printed).toContain(`\nok      ${line}`);
  });
});

describe('npm start, if it cannot start, says why in one sentence:', () => {
  it('the table cannot be reached with the variables that there are', async () => {
    const PORT = String(await unusedPort());
    const variables = { PORT, TABLE_NAME: 'items', AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: '' };
    const command = new Command(project, [process.execPath, 'serverless/local/start.mjs'], variables);
    await expectFailure(command, WAITING, 'Error:', /^AWS_SECRET_ACCESS_KEY is not set/);
  });

  it('another program has its port', async () => {
    const server = createServer().unref();
    const [, port = ''] = (await listen(server)).split(':');
    const commandsOf = async (isOption: boolean) => {
      const { message } = await checkPort(port, '127.0.0.1', isOption).then(
        () => ({ message: 'it is free' }),
        (error: Error) => error,
      );
      return message.replace(/(?<=PORT=|--httpPort )\d+/, 'N').replace(port, 'P');
    };
    const taken = 'Port P is taken. To start on another one: ';
    expect(await commandsOf(false)).toBe(`${taken}PORT=N npx serverless offline`);
    expect(await commandsOf(true)).toBe(`${taken}npx serverless offline --httpPort N`);
    process.env.npm_lifecycle_event = 'start';
    expect(await commandsOf(false)).toBe(`${taken}PORT=N npm start`);
    // PORT does not change what the option says.
    expect(await commandsOf(true)).toBe(`${taken}npm start -- --httpPort N`);
    server.close();
    delete process.env.npm_lifecycle_event;
  });

  it.each(['', '0', '65536', '-1', '4000x', '4e3'])('%j is not a port', async (httpPort) => {
    const reason = `The port is "${httpPort}": it takes a number from 1 to 65535, as in PORT=4000 npx serverless offline`;
    await expect(checkPort(httpPort, '127.0.0.1')).rejects.toThrow(reason);
  });

  it('it may not write the build', async () => {
    const reason = /^The build can't be written here \(EACCES: permission denied\): make the folder your own/;
    await expectFailure(run(project, '--import tsx esbuild.ts', DENIED), reason);
  });
});
