import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { freePort } from '../support/free-port.js';
import { NOWHERE } from '../support/nowhere.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import type { Stage } from './send.js';

/** What the API is tried at, and what is expected of it. */
export interface Target {
  readonly name: string;
  /** Whether only those who sign in may read and write. */
  readonly asksForTokens: boolean;
  /** The origin of pages that may read and write, or `*`. */
  readonly origin: string | undefined;
  start(): Promise<Stage & { stop(): Promise<void> }>;
}

const { STAGE_URL, TOKEN, ORIGIN } = process.env;

/** The stage that npm run smoke names, or what is started on this machine as npm start does. */
export const TARGETS: readonly Target[] = STAGE_URL
  ? [
      {
        name: `at ${STAGE_URL}`,
        asksForTokens: Boolean(TOKEN),
        origin: ORIGIN || undefined,
        start: async () => ({ url: STAGE_URL, token: TOKEN || undefined, stop: async () => {} }),
      },
    ]
  : [
      { name: 'in memory', asksForTokens: false, origin: undefined, start: () => startOffline() },
      { name: 'with a table and sign-in', asksForTokens: true, origin: 'http://localhost:5173', start: startWhole },
    ];

async function startWhole() {
  const [tables, provider] = [await startTables(), await startProvider()];
  const offline = await startOffline({
    ...environmentOf(await tables.create()),
    TOKEN_ISSUER: provider.issuer,
    TOKEN_AUDIENCE: AUDIENCE,
    CORS_ORIGINS: 'http://localhost:5173',
  });
  return {
    ...offline,
    token: await provider.sign(),
    stop: async () => {
      for (const { stop } of [offline, provider, tables]) await stop();
    },
  };
}

/** @throws Error with what npm start has printed, if it ends. */
async function startOffline(variables: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env.PATH, ...NOWHERE, ...variables, PORT: String(await freePort()), NO_BUILD: 'true' };
  const child = spawn(process.execPath, ['node_modules/serverless/bin/serverless.js', 'offline', 'start'], { env });
  const url = await new Promise<string>((resolve, reject) => {
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        printed += text;
        const [, address] = /(http:\S+)\/swagger\/ui/.exec(printed) ?? [];
        if (address) resolve(address);
      });
    child.once('exit', () => reject(new Error(printed)));
  });
  const stop = async () => {
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  return { url, token: undefined, stop };
}
