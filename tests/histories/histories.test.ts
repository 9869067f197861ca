import { afterAll, describe, expect, it } from '@jest/globals';
import { startTables } from '../support/dynamodb/tables.js';
import type { Recorded } from './callers.js';
import { type Habit, recordHistory } from './history.js';
import { judge } from './judge.js';

const HISTORIES = Number(process.env.HISTORIES ?? 6);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('behind a network that misbehaves, several instances of the service', () => {
  it.each<[string, Habit]>([
    ['to many callers at once', 'any call'],
    ['to callers who send POSTs again, at once and long after', 'repeated POSTs'],
  ])(
    'give answers that one after the other would have given, %s',
    async (_to, habit) => {
      const outcomes = new Map<string, number>();
      const broken: string[] = [];
      let calls = 0;
      for (let done = 0; done < HISTORIES; done += 1) {
        const history = await recordHistory(await tables, SEED + done, habit);
        calls += history.length;
        count(history, outcomes);
        const faults = judge(history);
        if (faults.length > 0) broken.push(`HISTORY_SEED=${SEED + done} HISTORIES=1: ${faults.join('\n')}`);
        if (done % 100 === 99) say(`${done + 1} of ${HISTORIES} histories, ${broken.length} broken`);
      }
      const counts = Array.from(outcomes, ([outcome, times]) => `${outcome}: ${times}`).sort();
      say(
        `${habit}, HISTORY_SEED=${SEED}: ${calls} calls in ${HISTORIES} histories, ${broken.length} broken (${counts.join(', ')})`,
      );
      expect(broken.slice(0, 3).join('\n\n')).toBe('');
    },
    120_000 + HISTORIES * 10_000,
  );
});

function count(history: readonly Recorded[], outcomes: Map<string, number>): void {
  for (const { operation, status } of history) {
    const outcome = `${operation} ${status}`;
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
