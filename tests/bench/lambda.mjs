import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventText } from './events.mjs';

const runtime = fileURLToPath(new URL('../runtime/', import.meta.url));
const configured = readFileSync(new URL('../../serverless.yml', import.meta.url), 'utf8');
const memorySize = Number(/memorySize: (\d+)/.exec(configured)?.[1]);

const TIME = "cold, in AWS's runtime client: start to first GET, ms";
const MEMORY = "cold, in AWS's runtime client: memory, MB";

/**
 * Starts implementations in AWS's runtime client, and asks each for the list. The time is the processor's.
 *
 * @param {Record<string, import('./interleave.mjs').Contestant>} contestants - By name; all of the event `browser`.
 * @param {number} rounds
 * @param {{ advance(what: string): void }} progress - Told after each start.
 * @returns {Promise<Record<string, Record<string, number[]>>>} By row and by contestant, one figure a round.
 */
export async function startInRuntime(contestants, rounds, progress) {
  // The client is compiled when it is installed, which takes a minute.
  if (!existsSync(`${runtime}node_modules/aws-lambda-ric/rapid-client.node`))
    execFileSync('npm', ['ci'], { cwd: runtime, stdio: 'inherit' });
  const { Environment } = await import('./dist/environment.cjs');
  const event = JSON.parse(eventText('GET', '/api/todo'));
  const rows = { [TIME]: {}, [MEMORY]: {} };
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, { file, node, environment: variables }] of Object.entries(contestants)) {
      const handler = `${basename(file).replace(/\.[cm]js$/, '')}.handler`;
      const environment = await Environment.start({ node, folder: dirname(file), handler, memorySize, variables });
      if ('initError' in environment) throw new Error(`${name}: ${environment.initError.errorMessage}`);
      const { result } = await environment.invoke(event);
      const { peakMemory, processorTime } = environment;
      await environment.stop();
      if (!(result?.statusCode < 300)) throw new Error(`${name} answers ${JSON.stringify(result)}`);
      for (const [row, figure] of Object.entries({ [TIME]: processorTime, [MEMORY]: peakMemory })) {
        rows[row][name] ??= [];
        rows[row][name].push(figure);
      }
      progress.advance(`runtime, ${name}`);
    }
  }
  return rows;
}
