import { afterAll, it } from '@jest/globals';
import fc from 'fast-check';
import { type Access, connect } from '../../../shared/dynamodb/send.js';
import { readAtMost } from '../../support/dynamodb/faults.js';
import { addTombstones, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { PARCELS } from '../../support/service/parcels.js';
import { startService } from '../../support/service/service.js';
import { compare } from './compare.js';
import { Model } from './model.js';
import { anyRequest } from './requests.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 1_000);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

const tables = startTables();

/** Where a service may keep its collection. */
const stores = [
  { name: 'memory', weight: 8, table: async () => undefined },
  { name: 'a table', weight: 1, table: async () => (await tables).create() },
  {
    name: 'a table with large rows and deleted items',
    weight: 1,
    async table() {
      const table = await (await tables).create();
      await addTombstones(table, 14);
      return table;
    },
    connect: (access: Access) => readAtMost(1, connect(access)),
  },
];

const anySetup = fc
  .record({
    gateway: fc.constantFrom(...gateways),
    store: fc.oneof(...stores.map((store) => ({ weight: store.weight, arbitrary: fc.constant(store) }))),
  })
  .map((setup) => ({
    ...setup,
    toString: () => `behind ${setup.gateway.name}, with the store in ${setup.store.name}`,
  }));

afterAll(async () => (await tables).stop());

it(
  'behind any gateway, with any store, the service answers a sequence of requests as the model does',
  async () => {
    const sequences = fc.array(anyRequest, { maxLength: 120, size: 'max' });
    const agreement = fc.asyncProperty(anySetup, sequences, async ({ gateway, store }, sketches) => {
      const service = startService(gateway, { table: await store.table(), connect: store.connect });
      const [first] = (await service.call('GET', PARCELS)).json;
      const model = new Model({ ...first, version: 1 });
      const told: string[] = [];
      for (const sketch of sketches) await compare(sketch, model, service, told);
    });
    await fc.assert(agreement, { seed: SEED, numRuns: Math.ceil(STEPS / 50) });
  },
  120_000 + STEPS * 20,
);
