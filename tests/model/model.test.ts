import { afterAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { startTables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { createProgress } from '../support/progress.js';
import { COLLECTION } from '../support/service/resource.js';
import { startService } from '../support/service/service.js';
import { calls, made } from './commands.js';
import { Model } from './model.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 2_000);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

const tables = startTables();

/** Where a service keeps its collection. */
const stores = [
  { name: 'memory', weight: 9, environment: async () => ({}) },
  { name: 'a table', weight: 1, environment: async () => (await tables).create() },
];

const places = fc
  .record({
    gateway: fc.constantFrom(...gateways),
    store: fc.oneof(...stores.map((store) => ({ weight: store.weight, arbitrary: fc.constant(store) }))),
  })
  .map((place) => ({
    ...place,
    toString: () => `behind ${place.gateway.name}, with the store in ${place.store.name}`,
  }));

const count = () => Array.from(made.values()).reduce((sum, times) => sum + times, 0);

afterAll(async () => {
  await (await tables).stop();
  const outcomes = Array.from(made, ([outcome, times]) => `${outcome}: ${times}`).sort();
  process.stdout.write(`MODEL_SEED=${SEED}: ${count()} calls beside the model (${outcomes.join(', ')})\n`);
});

describe('behind any gateway, with any store, the service', () => {
  const time = 120_000 + STEPS * 20;

  it(
    'answers a sequence of requests as the model does',
    async () => {
      const say = createProgress(STEPS, 'calls');
      for (let seed = SEED; count() < STEPS; seed += 1) {
        const sequences = fc.commands([calls], { maxCommands: 120, size: 'max' });
        const agreement = fc.asyncProperty(places, sequences, async ({ gateway, store }, commands) => {
          const start = async () => {
            const real = startService(gateway, await store.environment());
            const [first] = (await real.call('GET', COLLECTION)).json;
            return { model: new Model({ ...first, version: 1 }), real };
          };
          await fc.asyncModelRun(start, commands);
        });
        await fc.assert(agreement, { seed, numRuns: 50 });
        say(count());
      }
    },
    time,
  );
});
