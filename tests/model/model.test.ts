import { afterAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { kinds } from '../support/kinds.js';
import { startService } from '../support/service.js';
import { calls, made } from './commands.js';
import { Model } from './model.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 4_000);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

/** The environment that chooses each store. */
const stores = [{ store: 'memory', environment: {} }];

const places = stores.flatMap((store) => kinds.map((kind) => ({ ...store, kind, name: kind.name })));
const share = Math.ceil(STEPS / places.length);

const count = () => Array.from(made.values()).reduce((sum, calls) => sum + calls, 0);

afterAll(() => {
  const outcomes = Array.from(made, ([outcome, calls]) => `${outcome}: ${calls}`).sort();
  process.stdout.write(`MODEL_SEED=${SEED}: ${count()} calls beside the model (${outcomes.join(', ')})\n`);
});

describe.each(places)('behind $name, with the store in $store', ({ kind, environment }) => {
  it(
    'answers any sequence of requests as the model does',
    async () => {
      const enough = count() + share;
      for (let seed = SEED; count() < enough; seed += 1) {
        const sequences = fc.commands([calls], { maxCommands: 120, size: 'max' });
        await fc.assert(
          fc.asyncProperty(sequences, async (commands) => {
            await fc.asyncModelRun(async () => {
              const real = startService(kind, environment);
              const model = new Model();
              const [first] = (await real.call('GET', '/api/todo')).json;
              model.items.push({ ...first, version: 1 });
              return { model, real };
            }, commands);
          }),
          { seed, numRuns: Math.min(100, Math.max(1, Math.round((enough - count()) / 60))) },
        );
      }
    },
    60_000 + STEPS,
  );
});
