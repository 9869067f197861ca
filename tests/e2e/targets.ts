import { startTables } from '../support/dynamodb/tables.js';
import { startOffline } from '../support/offline.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import type { Stage } from './stage.js';

const { SMOKE_URL, TOKEN, ORIGIN } = process.env;
const PAGE = 'http://localhost:5173';

interface Target {
  name: string;
  signIn: boolean;
  /** Of pages that may call, or `*`. */
  origin?: string | undefined;
  start(): Promise<Stage & { stop(): Promise<unknown> }>;
}

/** The stage of `npm run smoke`, or else stages that the tests start. */
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
      { name: 'in memory', signIn: false, start: startOffline },
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
