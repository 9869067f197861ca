import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, it } from '@jest/globals';
import fc from 'fast-check';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { startTables } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import type { Answer } from '../../support/service/answer.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { Model, type ModelItem } from './model.js';
import { anyRequest, type RequestSketch, requestOf } from './requests.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 1_000);
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);

/** Through which people who sign in call. */
const INSTANCES = 3;

const tables = startTables();
let provider: Provider;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(async () => {
  await provider.stop();
  await (await tables).stop();
});

/** The part of the steps, whether there is a table, and the subjects of people if they have to sign in. */
type Setup = [name: string, share: number, hasTable: boolean, subjects: readonly string[] | undefined];

const SETUPS: readonly Setup[] = [
  ['with items in memory', 0.8, false, undefined],
  ['with items in a table', 0.2, true, undefined],
  // Subjects that are easily taken for one another or for a part of a key.
  ['if its subject is like a part of a key', 0.1, true, ['a', 'A', 'a#b', 'a/Idempotency-Key']],
  ['if its subject looks the same', 0.1, true, ['a', ' a', 'a ', 'a\u0000']],
  ['if its subject is not ASCII or long', 0.1, true, ['é', 'e\u0301', 'a'.repeat(255), `${'a'.repeat(254)}b`]],
];

/** Starts the service of a setup behind some gateways, and returns it as each person sees it through an instance. */
async function start(gateway: number, hasTable: boolean, subjects: Setup[3]) {
  const table = hasTable ? await (await tables).create() : undefined;
  const policy = { issuer: provider.issuer, audience: AUDIENCE };
  const services = Array.from({ length: subjects ? INSTANCES : 1 }, (_, index) => {
    const authenticate = subjects && createAuthenticator(policy, openLog('silent'));
    return startService(gateways[(gateway + index * 3) % gateways.length], { table, authenticate });
  });
  const tokens = await Promise.all(subjects?.map((sub) => provider.sign({ sub })) ?? []);
  const posts = tokens.map(() => 0);
  return (person: number, instance: number): Service => {
    const service = services[instance % services.length] as Service;
    if (!subjects) return service;
    const Authorization = `Bearer ${tokens[person]}`;
    return {
      ...service,
      call(method, path, { headers, ...request } = {}) {
        // Everybody counts their own creations, so that each key is new to its person, and others have used it.
        const once = method === 'POST' && { 'Idempotency-Key': String((posts[person] as number)++) };
        return service.call(method, path, { ...request, headers: { ...headers, ...once, Authorization } });
      },
    };
  };
}

/** Sends a request to the service and to the model. If they differ, it throws with all the calls that it has `told` so far. */
async function compare(sketch: RequestSketch, model: Model, service: Service, told: string[]): Promise<void> {
  const { asked, path, headers } = requestOf(sketch, model);
  const answer = await service.call(asked.method, path, { headers, body: asked.body });
  const { status, text, json } = answer;
  told.push(`${asked.method} ${path} ${JSON.stringify(headers)} ${asked.body?.slice(0, 200)} → ${text.slice(0, 200)}`);
  const key = status === 201 ? json.key : '';
  const isNew = NEW_KEY.test(key) && !model.items.some((item) => item.key === key);
  const { item, items, status: expected } = model.answer(asked, key);
  const seen = {
    status,
    list: items && status === 200 ? await readPages(answer, service, sketch.limit) : undefined,
    tag: item && answer.headers.etag,
    item: item && text && json,
    created: isNew && answer.headers.location,
  };
  const due = {
    status: expected,
    list: items?.map(onTheWire),
    tag: item && `"${item.version}"`,
    item: item && text && onTheWire(item),
    created: expected === 201 && `${service.prefix}${PARCELS}/${key}`,
  };
  if (isDeepStrictEqual(seen, due)) return;
  throw new Error([...told, `${JSON.stringify(seen)} but the model has ${JSON.stringify(due)}`].join('\n'));
}

const NEW_KEY = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The items of a page, and of the pages that its links lead to. */
async function readPages(page: Answer, service: Service, limit = Number.POSITIVE_INFINITY): Promise<object[]> {
  if (page.json.length > limit) throw new Error('the page is too long');
  const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
  if (next === undefined) return page.json;
  const rest = await service.call('GET', next.slice(service.prefix.length));
  return [...page.json, ...(await readPages(rest, service, limit))];
}

function onTheWire({ version: _version, ...item }: ModelItem): object {
  return item;
}

it.each(SETUPS)(
  'behind any gateway, each caller gets the answers of the model, as if others did not exist, %s',
  async (_name, share, hasTable, subjects) => {
    const people = subjects ?? ['everybody'];
    const calls = fc.record({
      person: fc.nat(people.length - 1),
      instance: fc.nat(INSTANCES - 1),
      sketch: anyRequest,
      /** Chooses an item of somebody else, which the request is about instead. */
      borrowed: fc.option(fc.nat(), { nil: undefined }),
    });
    const sequences = fc.array(calls, { maxLength: 120, size: 'max' });
    const agreement = fc.asyncProperty(fc.nat(gateways.length - 1), sequences, async (gateway, sequence) => {
      const as = await start(gateway, hasTable, subjects);
      const [first] = (await as(0, 0).call('GET', PARCELS)).json;
      const models = people.map(() => new Model({ ...first, version: 1 }));
      const told = [`behind ${gateways[gateway]?.name}`];
      for (const { person, instance, sketch, borrowed } of sequence) {
        const others = models.filter((_model, index) => index !== person).flatMap(({ items }) => items);
        const foreign = sketch.target !== undefined && borrowed !== undefined && others[borrowed % others.length];
        const asked = foreign ? { ...sketch, target: foreign.key } : sketch;
        await compare(asked, models[person] as Model, as(person, instance), told);
      }
    });
    await fc.assert(agreement, { seed: SEED, numRuns: Math.ceil((STEPS / 50) * share) });
  },
  120_000 + STEPS * 20,
);
