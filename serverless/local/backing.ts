// `serverless offline --local` runs this: a DynamoDB on this machine and, with `--people`, an OpenID Connect provider.
// It sends the function's variables and the tokens when both are ready, and ends with the process that started it.
import { createTable, environmentOf, localTable, startDynamodb } from './dynamodb.js';
import { FIRST_PORT, type LocalProvider, startLocalProvider } from './provider/local-provider.js';
import { refuseForeignCalls } from './refuse-foreign-calls.js';

/** With `--people`, a token of each person. */
export interface Local {
  readonly environment: Readonly<Record<string, string>>;
  readonly tokens?: LocalProvider['tokens'] | undefined;
}

// Ctrl-C also reaches this process, which the service needs until it has ended.
process.on('SIGINT', () => {});
// After `--people`, the origins of pages that may sign people in.
const [option, ...origins] = process.argv.slice(2);
const { TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE, LIST_BY = '' } = process.env;
const scope = [TOKEN_READ_SCOPE, TOKEN_WRITE_SCOPE].filter((name) => name && name !== 'none').join(' ');
// If people with the same value of a claim share a list, both people get the same value.
const claims = ['', 'none', 'sub', 'all'].includes(LIST_BY) ? {} : { [LIST_BY]: 'local' };
const provider = option === '--people' ? await startLocalProvider({ origins, scope, claims }) : undefined;
if (provider && provider.port !== FIRST_PORT) {
  console.log(
    `Port ${FIRST_PORT} is in use, so people sign in at port ${provider.port}. Lists that were made with another port are not shown.`,
  );
}
// dynalite answers pages of any origin. The provider itself decides about pages.
refuseForeignCalls({ pagePort: provider?.port });
const dynamodb = await startDynamodb('.dynamodb');
const table = localTable('local', dynamodb.endpoint);
process.on('uncaughtException', explainFailure);
await createTable(table);
process.off('uncaughtException', explainFailure);
process.on('disconnect', async () => {
  await dynamodb.stop();
  process.exit();
});
const local: Local = { environment: { ...environmentOf(table), ...provider?.environment }, tokens: provider?.tokens };
process.send?.(local);

/** dynalite notices at the first call that it can't open its data, and throws where no caller catches it. */
function explainFailure(error: Error): never {
  const inUse =
    'The items in .dynamodb/ are in use: npm run local is running in this folder already. Stop that one, or use a copy of the project.';
  console.error(error.message === 'Database is closed' ? inUse : error);
  process.exit(1);
}
