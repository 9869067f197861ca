import { afterAll, describe, expect, it } from '@jest/globals';
import { hurry } from '../support/hurry.js';
import { startTables } from '../support/tables.js';
import type { Recorded } from './callers.js';
import { runHistory, TIMING } from './history.js';
import { judge } from './judge.js';

const HISTORIES = Number(process.env.HISTORIES ?? 24);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);
/** How many are run at the same time: they mostly wait. */
const LANES = 6;

const tables = startTables();
const outcomes = new Map<string, number>();
const broken: string[] = [];
let calls = 0;

afterAll(async () => {
  await (await tables).stop();
  const counts = Array.from(outcomes, ([outcome, times]) => `${outcome}: ${times}`).sort();
  say(`HISTORY_SEED=${SEED}: ${calls} calls in ${HISTORIES} histories, ${broken.length} broken (${counts.join(', ')})`);
});

describe('behind a DynamoDB that misbehaves, several instances of the service', () => {
  it(
    'give answers that one after the other would have given, to many callers at once',
    async () => {
      hurry(TIMING);
      let next = 0;
      let done = 0;
      const lane = async () => {
        while (next < HISTORIES) {
          next += 1;
          const seed = SEED + next - 1;
          const history = await runHistory(await tables, seed);
          count(history);
          const faults = judge(history);
          if (faults.length > 0) broken.push(`HISTORY_SEED=${seed} HISTORIES=1: ${faults.join('\n')}`);
          done += 1;
          if (done % 100 === 0) say(`${done} of ${HISTORIES} histories, ${broken.length} broken`);
        }
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      expect(broken.slice(0, 3).join('\n\n')).toBe('');
    },
    60_000 + HISTORIES * 1_000,
  );
});

function count(history: readonly Recorded[]): void {
  calls += history.length;
  for (const { operation, status } of history) {
    const outcome = `${operation} ${status}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
