// `npm run smoke -- URL` runs the tests of the API at a deployed stage. Whatever ends them, Ctrl-C too, it deletes the items that they have made.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { describeTodos } from '../../docs/service-assets.js';
import { deleteItems, type Stage } from './stage.js';

const USAGE = `Usage: npm run smoke -- URL --open    if anybody may read and write
       TOKEN=… npm run smoke -- URL  if people sign in
The URL is that of the stage or of its page. ORIGIN=… names an origin that may call, or * if all may.`;
const DOCUMENT = '/swagger/v1/openapi.json';
/** So long a stage may take for its first answer. */
const PATIENCE = 60_000;
/** So long the function may work on a request whose sender has gone. */
const FUNCTION_TIMEOUT = 10_000;

try {
  process.exitCode = await smoke(readStage());
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}

/** @throws Error that says how to use the command. */
function readStage(): Stage {
  const options = { open: { type: 'boolean', default: false } } as const;
  const { positionals, values } = parseArgs({ options, allowPositionals: true });
  const [text = ''] = positionals;
  const token = process.env.TOKEN || undefined;
  if (positionals.length !== 1 || !/^https?:/.test(text) || !URL.canParse(text) || values.open === Boolean(token))
    throw new Error(USAGE);
  // An error about the header field would print it.
  if (token && !/^[\w.~+/-]+=*$/.test(token)) throw new Error('TOKEN is no bearer token.');
  const { protocol, hostname, origin, pathname } = new URL(text);
  if (token && protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    throw new Error('TOKEN is sent over https only, because others could read it on the way.');
  return { url: origin + pathname.replace(/(\/swagger(\/ui)?)?\/*$/i, ''), token };
}

/** @returns The exit code. */
async function smoke(stage: Stage): Promise<number> {
  const answer = await waitForAnswer(stage.url + DOCUMENT);
  const described = JSON.parse(JSON.stringify(describeTodos(stage.token !== undefined).openapi));
  const isSame = isDeepStrictEqual({ ...Object(await answer.json()), servers: [] }, { ...described, servers: [] });
  console.log(`The stage serves the document of ${isSame ? 'this checkout' : 'another release than this checkout'}.`);

  const mark = `e2e-${randomUUID().slice(0, 8)}`;
  const file = join(tmpdir(), mark);
  writeFileSync(file, '');
  const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', 'tests/e2e', '--runInBand', '--verbose'], {
    env: { ...process.env, SMOKE_URL: stage.url, SMOKE_MARK: mark, SMOKE_KEYS: file },
    stdio: 'inherit',
    // Ctrl-C does not reach another process group.
    detached: true,
  });
  let until = 0;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      until ||= Date.now() + FUNCTION_TIMEOUT;
      child.kill('SIGKILL');
    });
  const [code] = await once(child, 'exit');
  if (until) console.log('Interrupted. Deleting what requests on the way create, for 10 seconds …');
  const keys = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  rmSync(file);
  // Keys begin with the time in milliseconds (RFC 9562, section 5.7). The clocks of the stage may differ by a minute.
  const time = (Date.parse(answer.headers.get('Date') ?? '') || Date.now()) - PATIENCE;
  const after = time
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})(.{4})$/, '$1-$2-7000-8000-000000000000');
  await deleteItems(stage, mark, after, keys, until);
  console.log(`All items of this run are deleted (${mark}).`);
  return code ?? 1;
}

/** @throws Error with the last status, if there is no 200 for a minute. */
async function waitForAnswer(url: string): Promise<Response> {
  const started = Date.now();
  for (;;) {
    const request = fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) });
    const answer = await request.catch((error) => ({ status: String(error.cause ?? error) }));
    if (answer instanceof Response && answer.status === 200) return answer;
    if (Date.now() > started + PATIENCE) throw new Error(`After a minute, ${url} still gave ${answer.status}.`);
    await sleep(1_000);
  }
}
