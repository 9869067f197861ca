import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { freePort } from '../support/free-port.js';
import { NOWHERE } from '../support/nowhere.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import type { Stage } from './stage.js';

/** What the tests run at, and what it is expected to be. */
export interface Target {
  readonly name: string;
  readonly asksForTokens: boolean;
  /** The origin of pages that may read and write, or `*`. */
  readonly origin: string | undefined;
  start(): Promise<Stage & { stop(): Promise<void> }>;
}

const { SMOKE_URL, TOKEN, ORIGIN } = process.env;
const PAGE = 'http://localhost:5173';

/** The stage of npm run smoke; otherwise what they start themselves. */
export const TARGETS: readonly Target[] = SMOKE_URL
  ? [
      {
        name: `at ${SMOKE_URL}`,
        asksForTokens: Boolean(TOKEN),
        origin: ORIGIN || undefined,
        start: async () => ({ url: SMOKE_URL, token: TOKEN || undefined, stop: async () => {} }),
      },
    ]
  : [
      { name: 'in memory', asksForTokens: false, origin: undefined, start: () => startOffline({}) },
      { name: 'with a table and sign-in', asksForTokens: true, origin: PAGE, start: startWithTable },
    ];

async function startWithTable() {
  const [tables, provider] = [await startTables(), await startProvider()];
  const signIn = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE };
  const offline = await startOffline({ ...environmentOf(await tables.create()), ...signIn, CORS_ORIGINS: PAGE });
  const stop = async () => {
    for (const part of [offline, provider, tables]) await part.stop();
  };
  return { ...offline, token: await provider.sign(), stop };
}

/**
 * Starts the service as npm start does.
 *
 * @throws Error with what was printed, if it ends.
 */
async function startOffline(variables: Readonly<Record<string, string>>) {
  const env = { PATH: process.env.PATH, ...NOWHERE, ...variables, PORT: String(await freePort()), NO_BUILD: 'true' };
  const child = spawn(process.execPath, ['node_modules/serverless/bin/serverless.js', 'offline'], { env });
  const exit = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, address] = /(http:\S+)\/swagger\/ui/.exec(printed) ?? [];
        if (address) resolve(address);
      });
    exit.then(() => reject(new Error(`npm start has ended: ${printed}`)));
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await exit;
  };
  return { url, token: undefined, stop };
}
