import { isDeepStrictEqual } from 'node:util';
import { afterAll, it } from '@jest/globals';
import fc from 'fast-check';
import { type Access, connect } from '../../../shared/dynamodb/send.js';
import { readAtMost } from '../../support/dynamodb/faults.js';
import { addTombstones, startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { createProgress } from '../../support/progress.js';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS, parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { Model, type ModelItem } from './model.js';
import { anyRequest, type RequestSketch, requestOf } from './requests.js';

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
      await addTombstones(table, parcels, 14);
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

/** How many calls were answered so far, by method and status. */
const made = new Map<string, number>();
let shortPages = 0;
const count = () => Array.from(made.values()).reduce((sum, times) => sum + times, 0);

/** Sends a request to the service and to the model. If they differ, fast-check finds a shorter sequence that shows it. */
class CallCommand implements fc.AsyncCommand<Model, Service> {
  readonly #sketch: RequestSketch;
  #told = '';

  constructor(sketch: RequestSketch) {
    this.#sketch = sketch;
  }

  check(): boolean {
    return true;
  }

  async run(model: Model, service: Service): Promise<void> {
    const { asked, path, headers } = requestOf(this.#sketch, model);
    this.#told = `${asked.method} ${path} ${JSON.stringify(headers)} ${asked.body ?? ''}`;
    const answer = await service.call(asked.method, path, { headers, body: asked.body });
    const outcome = `${asked.method} ${answer.status}`;
    made.set(outcome, (made.get(outcome) ?? 0) + 1);
    this.#told += ` → ${answer.status} ${answer.text.slice(0, 200)}`;
    const newKey = answer.status === 201 ? newKeyOf(answer, model, service) : '';
    const expected = model.answer(asked, newKey);
    same('status', answer.status, expected.status);
    if (expected.items) same('list', await this.#rest(answer, service), expected.items.map(onTheWire));
    if (!expected.item) return;
    same('entity tag', answer.headers.etag, `"${expected.item.version}"`);
    if (answer.text !== '') same('item', answer.json, onTheWire(expected.item));
  }

  /** The items of a page, and of the pages that its links lead to. */
  async #rest(page: Answer, service: Service): Promise<WireItem[]> {
    const { limit = Number.POSITIVE_INFINITY } = this.#sketch;
    if (page.json.length > limit) throw new Error('the page is too long');
    const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
    if (next === undefined) return page.json;
    if (page.json.length < limit) shortPages += 1;
    return [...page.json, ...(await this.#rest(await service.call('GET', next.slice(service.prefix.length)), service))];
  }

  toString(): string {
    return this.#told;
  }
}

function newKeyOf({ json, headers }: Answer, { items }: Model, { prefix }: Service): string {
  const { key } = json;
  if (!/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(key)) throw new Error(`key ${key}`);
  if (items.some((item) => item.key === key)) throw new Error(`the key ${key} was assigned twice`);
  same('location', headers.location, `${prefix}${PARCELS}/${key}`);
  return key;
}

type WireItem = Omit<ModelItem, 'version'>;

function onTheWire({ version: _version, ...item }: ModelItem): WireItem {
  return item;
}

function same(what: string, actual: unknown, expected: unknown): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)} but the model has ${JSON.stringify(expected)}`);
}

afterAll(async () => {
  await (await tables).stop();
  const outcomes = Array.from(made, ([outcome, times]) => `${outcome}: ${times}`).sort();
  process.stdout.write(
    `MODEL_SEED=${SEED}: ${count()} calls beside the model, ${shortPages} short pages (${outcomes.join(', ')})\n`,
  );
});

it(
  'behind any gateway, with any store, the service answers a sequence of requests as the model does',
  async () => {
    const say = createProgress(STEPS, 'calls');
    const calls = anyRequest.map((sketch) => new CallCommand(sketch));
    const sequences = fc.commands([calls], { maxCommands: 120, size: 'max' });
    for (let seed = SEED; count() < STEPS; seed += 1) {
      const agreement = fc.asyncProperty(anySetup, sequences, async ({ gateway, store }, commands) => {
        const start = async () => {
          const real = startService(gateway, { table: await store.table(), connect: store.connect });
          const [first] = (await real.call('GET', PARCELS)).json;
          return { model: new Model({ ...first, version: 1 }), real };
        };
        await fc.asyncModelRun(start, commands);
      });
      await fc.assert(agreement, { seed, numRuns: 25 });
      say(count());
    }
  },
  120_000 + STEPS * 20,
);
