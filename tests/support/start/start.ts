import { buildService } from '../../../esbuild.js';
import { runService } from './run.js';

/**
 * `npm start`: builds the service, and runs it under serverless-offline.
 *
 * @param options - Those of serverless-offline.
 * @returns The exit code.
 */
export function run(options: readonly string[]): Promise<number> {
  return runService({ options, build: () => buildService('dist') });
}
