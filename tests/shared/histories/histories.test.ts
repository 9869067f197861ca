import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import type { Authenticate } from '../../../shared/http/message.js';
import { openLog } from '../../../shared/log/log.js';
import { createAuthenticator } from '../../../shared/openid/authenticator.js';
import { addTombstones, deleteExpired, startTables, type Table } from '../../support/dynamodb/tables.js';
import { AUDIENCE, startProvider } from '../../support/openid/provider.js';
import { answerOf } from '../../support/service/answer.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Fault, FaultyNetwork, LIES } from '../../support/simulation/network.js';
import { VirtualTime } from '../../support/simulation/time.js';
import { Callers } from './callers.js';
import type { Call } from './item.js';
import { judge, judgeItems, vacuous } from './judge.js';
import { createRandom } from './random.js';

const HISTORIES = Number(process.env.HISTORIES ?? 1);
/** Without another one, `npm test` records the same histories each time; `.ci/run histories` records others each night. */
const SEED = Number(process.env.HISTORY_SEED ?? 1);

const INSTANCES = 3;
const CALLERS = 6;
const CALLS = 30;

/** How far the clocks of two instances may be apart, in milliseconds. */
const MAX_SKEW = 60_000;

/** How long API Gateway waits for an instance that has ended: as long as the function may take. */
const FUNCTION_TIMEOUT = 10_000;

/** The most milliseconds that a caller waits before a call: so long that rows expire. Many wait less than clocks differ. */
const MAX_SLEEP = 3_000_000;

const startedTables = startTables();
const startedProvider = startProvider();

afterAll(async () => {
  await (await startedTables).stop();
  await (await startedProvider).stop();
});

/** The claim that says whose list people share, if they sign in. Both values are called the same by whoever ignores letter case. */
const CLAIM = 'org_id';
const SHARING = ['team', 'team', 'team', 'team', 'Team', 'Team'];

describe('behind a network that misbehaves, several instances of the service (rules 15, 22 and 29)', () => {
  it.each([
    ['to many callers at once', { again: false }],
    ['to callers who send POSTs again, at once and long after', { again: true }],
    [
      'to people who share a list by a claim, beside those of another list',
      { again: true, sharing: SHARING, share: 1 / 3 },
    ],
  ])(
    'give answers that calls made one at a time could have given, %s',
    async (to, how: How) => {
      const broken: string[] = [];
      let calls = 0;
      const count = Math.ceil(HISTORIES * (how.share ?? 1));
      for (let done = 0; done < count; done += 1) {
        const histories = await recordHistories(SEED + done, how);
        calls += histories.flat().length;
        // One list of several may have few calls.
        const faults = [vacuous(histories.flat()) ?? [], ...histories.map(judge)].flat();
        if (faults.length > 0) broken.push(`HISTORY_SEED=${SEED + done} HISTORIES=1: ${faults.join('\n')}`);
      }
      process.stdout.write(`HISTORY_SEED=${SEED}, ${to}: ${calls} calls, ${broken.length} histories broken\n`);
      expect(broken.slice(0, 3).join('\n\n')).toBe('');
    },
    120_000 + HISTORIES * 10_000,
  );
});

/** What a write that something in between sends twice may do is told by rule 22. No other history has this fault. */
it(
  'behind something that sends requests twice, several instances of the service lose no item, and create none twice',
  async () => {
    const broken: string[] = [];
    for (let done = 0; done < HISTORIES; done += 1) {
      const histories = await recordHistories(SEED + done, { again: done % 2 === 1, faults: TWICE });
      const faults = histories.flatMap(judgeItems);
      if (faults.length > 0) broken.push(`HISTORY_SEED=${SEED + done} HISTORIES=1: ${faults.join('\n')}`);
    }
    expect(broken.slice(0, 3).join('\n\n')).toBe('');
  },
  120_000 + HISTORIES * 10_000,
);

interface How {
  /** Whether POSTs are sent again. */
  readonly again: boolean;
  /** The callers, each as the value of the claim that says whose list it is; left out, nobody signs in. */
  readonly sharing?: readonly string[];
  /** The faults that there may be; those of {@link FAULTS} if left out. */
  readonly faults?: typeof FAULTS;
  /** The part of the histories that are recorded; all if left out. */
  readonly share?: number;
}

/**
 * Records the history of each list: many callers work on one table through several instances of the service, with the time-outs as
 * deployed and a network to DynamoDB that misbehaves. In the end, when everything that was late has been delivered, all
 * items of each list are read once more. Time is virtual. The seed decides on the calls, the faults, and their order.
 */
async function recordHistories(
  seed: number,
  { again, sharing, faults: kinds = FAULTS }: How,
): Promise<readonly (readonly Call[])[]> {
  const tables = await startedTables;
  const random = createRandom(seed);
  const table = await tables.create();
  const time = new VirtualTime();
  const network = new FaultyNetwork(time, tables.endpoint, () => 1 + random.next() * 15);
  const people = sharing && (await signIn(sharing, time));
  const services = Array.from({ length: INSTANCES }, () =>
    onMachine(startInstance(table, network, people?.authenticate), time, random.next() * MAX_SKEW),
  );
  const width = random.pick([1, 2, 3]);
  const lists = new Map(Array.from(new Set(sharing ?? ['']), (list) => [list, new Callers(random, width)]));
  const share = 0.1 + random.next() * 0.4;
  const faults = Array.from({ length: 4 }, () => random.pick(kinds));
  let left = CALLS;
  const as = (number: number, service: Service) => people?.as(number, service) ?? service;
  const work = async (number: number) => {
    const caller = `caller ${number}`;
    const service = as(number, services[number % INSTANCES] as Service);
    const callers = lists.get(sharing?.[number] ?? '') as Callers;
    while (left > 0) {
      left -= 1;
      if (again && random.next() < 0.35) await sleep(random.next() ** 4 * MAX_SLEEP);
      if (again && random.next() < 0.5) await callers.postOnce(caller, service, time.now);
      else await callers.call(caller, service);
    }
  };
  const sleep = async (length: number) => {
    await time.pause(length);
    await time.outside(deleteExpired(table, Date.now()));
  };
  time.install();
  network.mostRows = random.pick([undefined, 1, 2]);
  jest.spyOn(Math, 'random').mockImplementation(createRandom(seed + 1).next);
  try {
    return await time.run(async () => {
      await time.outside(addTombstones(table, random.next() * 30));
      network.misbehaveBy(() => (random.next() < share ? random.pick(faults)(random.next()) : undefined));
      await Promise.all(Array.from({ length: CALLERS }, (_, number) => work(number)));
      await network.settled();
      network.misbehave();
      for (const [list, callers] of lists)
        await callers.readAll(as(sharing?.indexOf(list) ?? 0, services[0] as Service));
      return Array.from(lists.values(), ({ calls }) => calls);
    });
  } finally {
    jest.restoreAllMocks();
  }
}

/** Gives each caller a token with a subject of their own, and verifies tokens one after the other, so that a seed decides on everything. */
async function signIn(values: readonly string[], time: VirtualTime) {
  const provider = await startedProvider;
  const exp = Date.now() / 1_000 + 1_000_000;
  const tokens = await Promise.all(
    values.map((value, number) => provider.sign({ sub: `caller ${number}`, [CLAIM]: value, exp })),
  );
  const policy = { issuer: provider.issuer, audience: AUDIENCE, listBy: CLAIM };
  let last: Promise<unknown> = Promise.resolve();
  return {
    authenticate: (): Authenticate => {
      const authenticate = createAuthenticator(policy, openLog('silent'));
      return (request) => {
        const admitted = last.then(() => time.outside(authenticate(request)));
        last = admitted;
        return admitted;
      };
    },
    as: (number: number, service: Service): Service => ({
      ...service,
      call: (method, path, { headers, body } = {}) =>
        service.call(method, path, { body, headers: { ...headers, Authorization: `Bearer ${tokens[number]}` } }),
    }),
  };
}

/** Starts an instance, which shares nothing with another one, not even the last key that it made. */
function startInstance(
  { name, ...access }: Table,
  { endpoint, parts }: FaultyNetwork,
  authenticate?: () => Authenticate,
): Service {
  let store: typeof import('../../../shared/store/table.js') | undefined;
  jest.isolateModules(() => {
    store = require('../../../shared/store/table.js');
  });
  const options = {
    access: { ...access, endpoint },
    table: name,
    capacity: LARGEST_CONTENT,
    log: openLog('silent'),
    ...parts,
  };
  const { openTable } = store as NonNullable<typeof store>;
  return startService(undefined, {
    openStore: (resource) => openTable(resource, options),
    authenticate: authenticate?.(),
  });
}

/** An instance with a clock of its own. If it ends, API Gateway answers for it. */
function onMachine(service: Service, time: VirtualTime, ahead: number): Service {
  return {
    ...service,
    call: (...call) =>
      Promise.race([
        time.ahead(ahead, () => service.call(...call)),
        time.pause(FUNCTION_TIMEOUT).then(() => answerOf(504, {}, Buffer.alloc(0))),
      ]),
  };
}

/**
 * The faults, each given a number from 0 to 1. A history has only a few kinds, which shows what they do together (Groce
 * and others, "Swarm Testing", 2012). Those that leave open whether a write was applied are in the list more than once.
 */
const FAULTS: readonly ((number: number) => Fault)[] = [
  ...Array(4).fill((number: number) => ({ late: TIMEOUTS.attempt * (1 + 5 * number) })),
  (number) => ({ late: TIMEOUTS.attempt * number }),
  (number) => ({ again: TIMEOUTS.attempt * 2 * number }),
  (number) => ({ again: TIMEOUTS.attempt * 5 * number }),
  ...plain('hang after', 'hang after', 'hang after', 'end after', 'end after', 'cut after', 'cut after', 'end before'),
  ...plain('switch after', ...LIES),
  ...plain('hang', 'cut before', 'fail', 'throttle', 'talk nonsense', 'deny'),
];

/** A request that something in between sends twice, with the reply to the second copy. */
const TWICE = [(number: number): Fault => ({ twice: TIMEOUTS.attempt * number })];

function plain(...faults: Fault[]) {
  return faults.map((fault) => () => fault);
}
