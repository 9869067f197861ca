import { afterAll, beforeAll, it } from '@jest/globals';
import fc from 'fast-check';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { startTables, type Table } from '../../support/dynamodb/tables.js';
import { gateways } from '../../support/gateways/gateways.js';
import { AUDIENCE, type Provider, startProvider } from '../../support/openid/provider.js';
import { PARCELS } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { compare } from './compare.js';
import { Model } from './model.js';
import { anyRequest } from './requests.js';

const STEPS = Number(process.env.MODEL_STEPS ?? 6_000) / 20;
const SEED = Number(process.env.MODEL_SEED ?? Date.now() % 2 ** 31);
const INSTANCES = 3;
const PEOPLE = 4;

/** Four subjects each, easily taken for one another or for a part of a key. */
const SUBJECTS = [
  ['a', 'A', 'a#b', 'a/Idempotency-Key'],
  ['a', ' a', 'a ', 'a\u0000'],
  ['é', 'e\u0301', 'a'.repeat(255), `${'a'.repeat(254)}b`],
];

const tables = startTables();
let provider: Provider;

beforeAll(async () => {
  provider = await startProvider();
});

afterAll(async () => {
  await provider.stop();
  await (await tables).stop();
});

/** What people call: the service through one of its instances, with their tokens. */
type Calls = (person: number, instance: number) => Service;

/** Starts three instances with one table, and signs in the people. */
async function startFor(subjects: readonly string[], table: Table): Promise<Calls> {
  const policy = { issuer: provider.issuer, audience: AUDIENCE };
  const tokens = await Promise.all(subjects.map((sub) => provider.sign({ sub })));
  const instances = Array.from({ length: INSTANCES }, (_, index) => {
    const authenticate = createAuthenticator(policy, openLog('silent'));
    return startService(gateways[(index * 3) % gateways.length], { table, authenticate });
  });
  const posts = subjects.map(() => 0);
  return (person, instance) => {
    const { prefix, call } = instances[instance] as Service;
    const Authorization = `Bearer ${tokens[person]}`;
    return {
      prefix,
      call(method, path, { headers, ...request } = {}) {
        // Everybody counts their own creations, so that each key is new to its person, and others have used it.
        const once = method === 'POST' && { 'Idempotency-Key': String((posts[person] as number)++) };
        return call(method, path, { ...request, headers: { ...headers, ...once, Authorization } });
      },
    };
  };
}

it(
  'through any instance, each person gets the answers that they would get if the others did not exist',
  async () => {
    const calls = fc.record({
      person: fc.nat(PEOPLE - 1),
      instance: fc.nat(INSTANCES - 1),
      sketch: anyRequest,
      /** Chooses an item of somebody else, which the request is about instead. */
      borrowed: fc.option(fc.nat(), { nil: undefined }),
    });
    const sequences = fc.array(calls, { maxLength: 60, size: 'max' });
    for (const subjects of SUBJECTS) {
      const isolation = fc.asyncProperty(sequences, async (sequence) => {
        const as = await startFor(subjects, await (await tables).create());
        const [first] = (await as(0, 0).call('GET', PARCELS)).json;
        const models = subjects.map(() => new Model({ ...first, version: 1 }));
        const told: string[] = [];
        for (const { person, instance, sketch, borrowed } of sequence) {
          const others = models.filter((_model, index) => index !== person).flatMap(({ items }) => items);
          const foreign = sketch.target !== undefined && borrowed !== undefined && others[borrowed % others.length];
          const asked = foreign ? { ...sketch, target: foreign.key } : sketch;
          await compare(asked, models[person] as Model, as(person, instance), told);
        }
      });
      await fc.assert(isolation, { seed: SEED, numRuns: Math.ceil(STEPS / 75) });
    }
  },
  120_000 + STEPS * 20,
);
