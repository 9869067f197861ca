import { startTables } from '../support/dynamodb/tables.js';
import { startOffline } from '../support/offline.js';
import { AUDIENCE, startProvider } from '../support/openid/provider.js';
import type { Stage } from './stage.js';

const { SMOKE_URL, TOKEN, ORIGIN } = process.env;
const PAGE = 'http://localhost:5173';

type Start = () => Promise<Stage & { stop(): Promise<unknown> }>;

/** @param origin - Of pages that may call, or `*`. */
const target = (name: string, start: Start, signIn: boolean, origin?: string) => ({ name, start, signIn, origin });
const connect: Start = async () => ({ url: String(SMOKE_URL), token: TOKEN, stop: async () => {} });

/** The stage of `npm run smoke`, or else stages that the tests start. */
export const TARGETS = SMOKE_URL
  ? [target(`at ${SMOKE_URL}`, connect, Boolean(TOKEN), ORIGIN)]
  : [target('in memory', startOffline, false), target('with a table and sign-in', startWithTable, true, PAGE)];

async function startWithTable() {
  const [tables, provider] = [await startTables(), await startProvider()];
  const variables = { TOKEN_ISSUER: provider.issuer, TOKEN_AUDIENCE: AUDIENCE, CORS_ORIGINS: PAGE };
  const service = await startOffline({ ...(await tables.create()).environment, ...variables });
  const stop = async () => {
    for (const part of [service, provider, tables]) await part.stop();
  };
  return { ...service, token: await provider.sign(), stop };
}
