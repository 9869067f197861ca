import { afterAll, describe, expect, it } from '@jest/globals';
import { startTables } from '../support/dynamodb/tables.js';
import type { Recorded } from './callers.js';
import { recordHistory } from './history.js';
import { judge } from './judge.js';

const HISTORIES = Number(process.env.HISTORIES ?? 10);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

const tables = startTables();
const outcomes = new Map<string, number>();
const broken: string[] = [];
let calls = 0;

afterAll(async () => {
  await (await tables).stop();
  const counts = Array.from(outcomes, ([outcome, times]) => `${outcome}: ${times}`).sort();
  say(`HISTORY_SEED=${SEED}: ${calls} calls in ${HISTORIES} histories, ${broken.length} broken (${counts.join(', ')})`);
});

describe('behind a network that misbehaves, several instances of the service', () => {
  it(
    'give answers that one after the other would have given, to many callers at once',
    async () => {
      for (let done = 0; done < HISTORIES; done += 1) {
        const history = await recordHistory(await tables, SEED + done);
        count(history);
        const faults = judge(history);
        if (faults.length > 0) broken.push(`HISTORY_SEED=${SEED + done} HISTORIES=1: ${faults.join('\n')}`);
        if (done % 100 === 99) say(`${done + 1} of ${HISTORIES} histories, ${broken.length} broken`);
      }
      expect(broken.slice(0, 3).join('\n\n')).toBe('');
    },
    120_000 + HISTORIES * 10_000,
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
