import { buildService } from '../../../esbuild.js';
import { startTables } from '../dynamodb/tables.js';
import { runService } from './run.js';

/**
 * `npm run local`: like `npm start`, with a DynamoDB of its own that keeps its data in .dynamodb/.
 *
 * @param options - Those of serverless-offline.
 * @returns The exit code.
 */
export async function run(options: readonly string[]): Promise<number> {
  const tables = await startTables('.dynamodb');
  const environment = await tables.create('local');
  const code = await runService({ options, environment, build: () => buildService('dist') });
  await tables.stop();
  return code;
}
