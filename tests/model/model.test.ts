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

const places = fc
  .constantFrom(...stores.flatMap((store) => kinds.map((kind) => ({ ...store, kind }))))
  .map((place) => ({ ...place, toString: () => `behind ${place.kind.name}, with the store in ${place.store}` }));

const count = () => Array.from(made.values()).reduce((sum, times) => sum + times, 0);

afterAll(() => {
  const outcomes = Array.from(made, ([outcome, times]) => `${outcome}: ${times}`).sort();
  process.stdout.write(`MODEL_SEED=${SEED}: ${count()} calls beside the model (${outcomes.join(', ')})\n`);
});

describe('behind any kind of gateway, with any store, the service', () => {
  const time = 60_000 + STEPS;

  it(
    'answers a sequence of requests as the model does',
    async () => {
      for (let seed = SEED; count() < STEPS; seed += 1) {
        const sequences = fc.commands([calls], { maxCommands: 120, size: 'max' });
        const agreement = fc.asyncProperty(places, sequences, async ({ kind, environment }, commands) => {
          const start = async () => {
            const real = startService(kind, environment);
            const [first] = (await real.call('GET', '/api/todo')).json;
            return { model: new Model({ ...first, version: 1 }), real };
          };
          await fc.asyncModelRun(start, commands);
        });
        await fc.assert(agreement, { seed, numRuns: 50 });
      }
    },
    time,
  );
});
