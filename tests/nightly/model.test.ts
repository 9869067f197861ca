import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openLog } from '../../shared/log/log.js';
import { createAuthenticator } from '../../shared/openid/authenticator.js';
import { startTables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../support/openid/provider.js';
import type { Answer } from '../support/service/answer.js';
import { PARCELS } from '../support/service/parcels.js';
import { type Service, startService } from '../support/service/service.js';
import { Model, type ModelItem } from './model.js';
import { anyRequest, type RequestSketch, requestOf } from './requests.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 50);
const SEED = Number(process.env.NIGHTLY_SEED ?? 9);

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

/** Somebody who calls: with a token that has these claims, unless nobody signs in, an instance that finds lists by `listBy`. */
interface Person {
  readonly claims?: Readonly<Record<string, string>>;
  readonly listBy?: string;
}

/** The part of the steps, whether there is a table, and who calls. */
type Setup = [name: string, share: number, hasTable: boolean, people: (issuer: string) => readonly Person[]];

const bySubject = (...subjects: string[]) => subjects.map((sub) => ({ listBy: 'sub', claims: { sub } }));

const byTeam = (...teams: string[]) =>
  teams.map((team, index) => ({ listBy: TEAM, claims: { sub: `${index}`, [TEAM]: team } }));

const TEAM = 'https://example.com/team';

const SETUPS: readonly Setup[] = [
  ['in memory', 0.8, false, () => [{}]],
  ['in a table', 0.2, true, () => [{}]],
  [
    'in memory that all who sign in share',
    0.1,
    false,
    () => ['a', 'b'].map((sub) => ({ listBy: 'all', claims: { sub } })),
  ],
  [
    'in lists of subjects that are easily taken for one another, or for a part of a key',
    0.3,
    true,
    () => bySubject('a', 'A', ' a', 'a ', 'a\u0000', 'a#b', 'a/Idempotency-Key', 'é', 'e\u0301', 'a'.repeat(255)),
  ],
  [
    'in lists of all kinds in one table, whose owners are spelled like each other',
    0.3,
    true,
    (issuer) => [
      ...bySubject('a', `${issuer} a`, `claim ${TEAM} ${issuer} a`, `${TEAM} ${issuer} a`),
      ...byTeam('a', 'a', 'A', 'a ', `${issuer} a`),
      { listBy: 'org', claims: { sub: 'b', org: 'a' } },
      { listBy: 'org', claims: { sub: 'a', org: `${TEAM} ${issuer} a` } },
      { listBy: 'all', claims: { sub: 'a' } },
      { listBy: 'all', claims: { sub: 'b' } },
      {},
    ],
  ],
];

/** Names the list that somebody sees, as the rules have it: everybody's, or that of a value of a claim. */
function listOf({ listBy = 'all', claims = {} }: Person): string {
  return JSON.stringify(listBy === 'all' ? [] : [listBy, claims[listBy]]);
}

/** Starts the service of a setup behind some gateways, and returns it as each person sees it through an instance. */
async function start(gateway: number, hasTable: boolean, people: readonly Person[]) {
  const table = hasTable ? await (await tables).create() : undefined;
  const instancesOf = (listBy: string | undefined) =>
    Array.from({ length: listBy && hasTable ? INSTANCES : 1 }, (_, index) => {
      const policy = { issuer: provider.issuer, audience: AUDIENCE, listBy };
      const authenticate = listBy === undefined ? undefined : createAuthenticator(policy, openLog('silent'));
      return startService(gateways[(gateway + index * 3) % gateways.length], { table, authenticate });
    });
  const kinds = new Map(people.map(({ listBy }) => [listBy, instancesOf(listBy)]));
  const tokens = await Promise.all(people.map(({ claims }) => provider.sign(claims)));
  const posts = new Map<string, number>();
  return (index: number, instance: number): Service => {
    const person = people[index] as Person;
    const instances = kinds.get(person.listBy) as readonly Service[];
    const service = instances[instance % instances.length] as Service;
    const list = listOf(person);
    return {
      ...service,
      call(method, path, { headers, ...request } = {}) {
        // The creations in each list are counted, so that each key is new to it, and others have used it.
        const count = posts.get(list) ?? 0;
        if (method === 'POST') posts.set(list, count + 1);
        const once = method === 'POST' && people.length > 1 && { 'Idempotency-Key': String(count) };
        const signedIn = person.listBy && { Authorization: `Bearer ${tokens[index]}` };
        return service.call(method, path, { ...request, headers: { ...headers, ...once, ...signedIn } });
      },
    };
  };
}

/**
 * What each entity tag of a list stands for: content, media type and link. It is never forgotten, so no instance, list or
 * person may get the tag of another one for something else.
 */
const formsOf = new Map<string, string>();

/** Remembers what the entity tag of a list stands for. It throws if that was something else. */
function remember({ text, headers }: Answer): string {
  const tag = headers.etag?.slice(1, -1) as string;
  const form = createHash('sha256')
    .update(JSON.stringify([text, headers['content-type'], headers.link]))
    .digest('base64');
  if ((formsOf.get(tag) ?? form) !== form) throw new Error(`the entity tag ${tag} stands for two lists`);
  formsOf.set(tag, form);
  return tag;
}

/** Sends a request to the service and to the model. If they differ, it throws with all the calls that it has `told` so far. */
async function compare(sketch: RequestSketch, model: Model, service: Service, told: string[]): Promise<void> {
  const isList = sketch.method === 'GET' && sketch.target === undefined;
  const isConditional = [sketch.ifMatch, sketch.ifNoneMatch].some(Array.isArray);
  const tags = [...formsOf.keys()].slice(-3);
  if (isList && isConditional) {
    const { path, headers } = requestOf({ ...sketch, ifMatch: undefined, ifNoneMatch: undefined }, model);
    tags.unshift(remember(await service.call('GET', path, { headers })));
  }
  const { asked, path, headers } = requestOf(sketch, model, tags);
  const answer = await service.call(asked.method, path, { headers, body: asked.body });
  const { status, text, json } = answer;
  told.push(`${asked.method} ${path} ${JSON.stringify(headers)} ${asked.body?.slice(0, 200)} → ${text.slice(0, 200)}`);
  const key = status === 201 ? json.key : '';
  const isNew = NEW_KEY.test(key) && !model.items.some((item) => item.key === key);
  const { item, items, status: expected } = model.answer(asked, key);
  const seen = {
    status,
    list: items && status === 200 ? await readPages(answer, service, sketch.limit) : undefined,
    tag: (item ?? (isList && status === 304 && isConditional)) ? answer.headers.etag : undefined,
    item: item && text && json,
    created: isNew && answer.headers.location,
  };
  const due = {
    status: expected,
    list: items?.map(onTheWire),
    tag: item ? `"${item.version}"` : expected === 304 && isConditional ? `"${asked.tag}"` : undefined,
    item: item && text && onTheWire(item),
    created: expected === 201 && `${service.prefix}${PARCELS}/${key}`,
  };
  // Each write is between two lists of the same form.
  if ([201, 204].includes(status)) remember(await service.call('GET', PARCELS));
  // Once another item is there, the list of so many items as before has the same content and a link.
  const { length } = model.items;
  for (const limit of status === 201 ? [length - 1, length] : [])
    if (limit > 0) remember(await service.call('GET', `${PARCELS}?limit=${limit}`));
  if (isDeepStrictEqual(seen, due)) return;
  throw new Error([...told, `${JSON.stringify(seen)} but the model has ${JSON.stringify(due)}`].join('\n'));
}

const NEW_KEY = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** The items of a page, and of the pages that its links lead to. */
async function readPages(page: Answer, service: Service, limit = Number.POSITIVE_INFINITY): Promise<object[]> {
  if (page.json.length > limit) throw new Error('the page is too long');
  remember(page);
  const [, next] = /^<(.*)>; rel="next"$/.exec(page.headers.link ?? '') ?? [];
  if (next === undefined) return page.json;
  const rest = await service.call('GET', next.slice(service.prefix.length));
  return [...page.json, ...(await readPages(rest, service, limit))];
}

function onTheWire({ version: _version, ...item }: ModelItem): object {
  return item;
}

it.each(SETUPS)(
  'behind any gateway, each caller gets the answers of the model, as if there were no other lists, with items %s',
  async (_name, share, hasTable, peopleOf) => {
    const people = peopleOf(provider.issuer);
    const lists = people.map(listOf);
    let made = 0;
    const calls = fc.record({
      person: fc.nat(people.length - 1),
      instance: fc.nat(INSTANCES - 1),
      sketch: anyRequest,
      /** Chooses an item of another list, which the request is about instead. */
      borrowed: fc.option(fc.nat(), { nil: undefined }),
    });
    const sequences = fc.array(calls, { maxLength: 120, size: 'max' });
    const agreement = fc.asyncProperty(fc.nat(gateways.length - 1), sequences, async (gateway, sequence) => {
      const as = await start(gateway, hasTable, people);
      const [first] = (await as(0, 0).call('GET', PARCELS)).json;
      const models = new Map(lists.map((list) => [list, new Model({ ...first, version: 1 })]));
      const told = [`behind ${gateways[gateway]?.name}`];
      made += sequence.length;
      for (const { person, instance, sketch, borrowed } of sequence) {
        const model = models.get(lists[person] as string) as Model;
        const others = Array.from(models.values(), (other) => (other === model ? [] : other.items)).flat();
        const foreign = sketch.target !== undefined && borrowed !== undefined && others[borrowed % others.length];
        const asked = foreign ? { ...sketch, target: foreign.key } : sketch;
        await compare(asked, model, as(person, instance), told);
      }
    });
    await fc.assert(agreement, { seed: SEED, numRuns: Math.ceil((STEPS / 50) * share) });
    // Some seeds begin with a short sequence.
    if (!process.env.NIGHTLY_SEED) expect(made).toBeGreaterThan(50);
  },
  120_000 + STEPS * 20,
);
