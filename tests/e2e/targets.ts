import { startTables } from '../support/dynamodb/tables.js';
import { startOffline } from '../support/offline.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import type { Stage } from './stage.js';

/** What the tests run at, and what it is expected to be. */
export interface Target {
  readonly name: string;
  readonly signIn: boolean;
  /** The origin of pages that may read and write, or `*`. */
  readonly origin: string | undefined;
  start(): Promise<Stage & { stop(): Promise<unknown> }>;
}

const { SMOKE_URL, TOKEN, ORIGIN } = process.env;
const PAGE = 'http://localhost:5173';

/** The stage of npm run smoke; otherwise what they start themselves. */
export const TARGETS: readonly Target[] = SMOKE_URL
  ? [
      {
        name: `at ${SMOKE_URL}`,
        signIn: Boolean(TOKEN),
        origin: ORIGIN || undefined,
        start: async () => ({ url: SMOKE_URL, token: TOKEN, stop: async () => {} }),
      },
    ]
  : [
      { name: 'in memory', signIn: false, origin: undefined, start: startOffline },
      { name: 'with a table and sign-in', signIn: true, origin: PAGE, start: startWithTable },
    ];

async function startWithTable() {
  const [tables, provider] = [await startTables(), await startProvider()];
  const variables = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE, CORS_ORIGINS: PAGE };
  const service = await startOffline({ ...(await tables.create()).environment, ...variables });
  const stop = async () => {
    for (const part of [service, provider, tables]) await part.stop();
  };
  return { ...service, token: await provider.sign(), stop };
}
