// `npm run smoke -- URL` runs the tests of the API at a deployed stage. Whatever ends them, even Ctrl-C, it deletes the items
// that they have created, or names them.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { deleteItems, type Stage, send } from './stage.js';

const USAGE = `Usage: npm run smoke -- URL --open    if anyone can read and write
       TOKEN=… npm run smoke -- URL  if people sign in
The URL is that of the stage or of its page. With corsOrigins, set ORIGIN to one of them, or to * for all.`;
/** In milliseconds: for that long, the function may go on with a request whose sender is gone. */
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
  // An error about the header field would print the token.
  if (token && !/^[\w.~+/-]+=*$/.test(token)) throw new Error('TOKEN must be the text after Bearer.');
  const { protocol, hostname, origin, pathname } = new URL(text);
  if (token && protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
    throw new Error('Use an https URL: over http, others could read TOKEN on the way.');
  return { url: origin + pathname.replace(/(\/swagger(\/ui)?)?\/*$/i, ''), token };
}

/** @returns The exit code. */
async function smoke(stage: Stage): Promise<number> {
  const document = '/swagger/v1/openapi.json';
  for (const end = Date.now() + 60_000; ; await sleep(1_000)) {
    const { status } = await send(stage, 'GET', document);
    if (status === 200) break;
    if (Date.now() > end) throw new Error(`After a minute, ${stage.url}${document} still returned ${status}.`);
  }
  const mark = `e2e-${randomUUID().slice(0, 8)}`;
  const child = spawn(process.execPath, ['node_modules/jest/bin/jest.js', 'tests/e2e', '--runInBand', '--verbose'], {
    env: { ...process.env, SMOKE_URL: stage.url, SMOKE_MARK: mark },
    stdio: 'inherit',
    // In a process group of its own, Jest does not get Ctrl-C.
    detached: true,
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill('SIGKILL'));
  const [code] = await once(child, 'exit');
  if (code === null) {
    console.log('Interrupted. Waiting 10 seconds for items that are still being created …');
    await sleep(FUNCTION_TIMEOUT);
  }
  await deleteItems(stage, mark);
  console.log(`All items of this run (${mark}) are deleted.`);
  return code ?? 1;
}
