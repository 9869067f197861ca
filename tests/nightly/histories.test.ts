import * as sdk from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import * as valibot from 'valibot';
import { TIMEOUTS } from '../../shared/dynamodb/client.js';
import { INITIAL_KEY } from '../../shared/store/key.js';
import { attributesOf } from '../../shared/store/row.js';
import { readFilesOfSdk } from '../support/dynamodb/sending.js';
import { callsOn, deleteExpired, startTables, type Table } from '../support/dynamodb/tables.js';
import { parcels } from '../support/service/parcels.js';
import { type Fault, FaultyNetwork } from '../support/simulation/network.js';
import { createRandom } from '../support/simulation/random.js';
import { VirtualTime } from '../support/simulation/time.js';
import { optionsOf } from '../support/simulation/virtual-tables.js';
import { Callers, ended, type Instance } from './callers.js';
import type { Call } from './item.js';
import { judge } from './judge.js';

const HISTORIES = Number(process.env.HISTORIES ?? 3);
const SEED = Number(process.env.NIGHTLY_SEED ?? 1);

const INSTANCES = 3;
const CALLERS = 6;
const CALLS = Number(process.env.CALLS ?? 12);

/** How far the clocks of two instances may be apart, in milliseconds. */
const MAX_SKEW = 60_000;

/** How long API Gateway waits for an instance that has ended: as long as the function may take. */
const FUNCTION_TIMEOUT = 10_000;

/** The most milliseconds that a caller waits before a call: so long that rows expire. Many wait less than clocks differ. */
const MAX_SLEEP = 3_000_000;

const startedTables = startTables();
beforeAll(readFilesOfSdk);
afterAll(async () => (await startedTables).stop());

interface How {
  /** Whether creations are sent again. */
  readonly again: boolean;
  /** The owner of each caller's items; left out, all share one list. */
  readonly owners?: readonly string[];
}

it.each<[string, How]>([
  ['many callers at once', { again: false }],
  ['callers who send creations again, at once and long after', { again: true }],
  [
    'people who share a list, beside another one that is spelled like it',
    { again: true, owners: ['team', 'team', 'team', 'team', 'Team', 'Team'] },
  ],
])(
  'several instances behind a network that misbehaves answer %s as if calls had been made one at a time (rules 15, 22, 29)',
  async (to, how) => {
    const broken: string[] = [];
    let calls = 0;
    for (let seed = SEED; seed < SEED + HISTORIES; seed += 1) {
      const histories = await recordHistories(seed, how);
      calls += histories.flat().length;
      const faults = histories.flatMap(judge);
      if (faults.length > 0) broken.push(`CALLS=${CALLS} HISTORIES=1 NIGHTLY_SEED=${seed}: ${faults.join('\n')}`);
    }
    if (process.env.HISTORIES)
      process.stdout.write(`${to}: ${calls} calls from seed ${SEED}, ${broken.length} broken\n`);
    expect(broken.slice(0, 3).join('\n\n')).toBe('');
  },
  120_000 + HISTORIES * 10_000,
);

/**
 * Records the history of each list: many callers work on one table through several instances, with the time-outs as
 * deployed and a network to DynamoDB that misbehaves. In the end, when everything that was late has been delivered, all
 * items of each list are read once more. Time is virtual. The seed decides on the calls, the faults, and their order.
 */
async function recordHistories(seed: number, { again, owners }: How): Promise<readonly (readonly Call[])[]> {
  const random = createRandom(seed);
  const table = await (await startedTables).create();
  const time = new VirtualTime();
  const network = new FaultyNetwork(time, () => 1 + random.next() * 15);
  const instances = Array.from({ length: INSTANCES }, () =>
    startInstance(table, network, time, random.next() * MAX_SKEW),
  );
  const width = random.pick([1, 2, 3]);
  const lists = new Map(Array.from(new Set(owners ?? [undefined]), (owner) => [owner, new Callers(random, width)]));
  const share = 0.1 + random.next() * 0.4;
  const faults = Array.from({ length: 4 }, () => random.pick(FAULTS));
  let left = CALLS;
  const work = async (number: number) => {
    const owner = owners?.[number];
    const callers = lists.get(owner) as Callers;
    const instance = (instances[number % INSTANCES] as (typeof instances)[0])(owner);
    while (left > 0) {
      left -= 1;
      if (again && random.next() < 0.35) await sleep(random.next() ** 4 * MAX_SLEEP);
      if (again && random.next() < 0.5) await callers.createOnce(`caller ${number}`, instance, time.now);
      else await callers.call(`caller ${number}`, instance);
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
      network.behave();
      for (const [owner, callers] of lists) await callers.readAll((instances[0] as (typeof instances)[0])(owner));
      return Array.from(lists.values(), ({ calls }) => calls);
    });
  } finally {
    jest.restoreAllMocks();
  }
}

/** Starts an instance on a machine whose clock is ahead. It shares nothing with another one, not even the last key that it made. */
function startInstance(table: Table, { faulty }: FaultyNetwork, time: VirtualTime, ahead: number) {
  let loaded: typeof import('../../shared/store/table.js') | undefined;
  jest.isolateModules(() => {
    // They have nothing that instances could share, and take long to load.
    jest.doMock('@aws-sdk/client-dynamodb', () => sdk);
    jest.doMock('valibot', () => valibot);
    loaded = require('../../shared/store/table.js');
  });
  const { openTable } = loaded as NonNullable<typeof loaded>;
  const store = openTable(parcels, optionsOf(table, faulty));
  return (owner: string | undefined): Instance =>
    (use) =>
      Promise.race([
        time.ahead(ahead, () => use(store({ requestId: 'request-1', owner }))),
        time.pause(FUNCTION_TIMEOUT).then(() => Promise.reject(ended)),
      ]);
}

/** Puts tombstones of parcels into a table, after the first item and before all others. */
async function addTombstones(table: Table, count: number): Promise<void> {
  const call = callsOn(table);
  const expires = Math.floor(Date.now() / 1_000) + 7_200;
  for (let number = 1; number <= count; number += 1) {
    const key = INITIAL_KEY.replace(/\d{4}$/, String(number).padStart(4, '0'));
    const tombstone = attributesOf({ key, version: 2, expires }, 'of a deletion');
    await call('PutItem', { Item: { partition: { S: parcels.name }, key: { S: key }, ...tombstone } });
  }
}

const PLAIN: readonly Fault[] = [
  ...(['hang after', 'hang after', 'hang after', 'end after', 'end after', 'cut after', 'cut after'] as const),
  ...(['end before', 'hang', 'cut before', 'fail', 'throttle', 'talk nonsense', 'deny'] as const),
  ...(['fail after', 'deny without a name after'] as const),
];

/**
 * The faults, each given a number from 0 to 1. A history has only a few kinds, which shows what they do together (Groce
 * and others, "Swarm Testing", 2012). Those that leave open whether a write was applied are in the list more than once.
 */
const FAULTS: readonly ((number: number) => Fault)[] = [
  ...Array(4).fill((number: number) => ({ late: TIMEOUTS.attempt * (1 + 5 * number) })),
  (number) => ({ late: TIMEOUTS.attempt * number }),
  (number) => ({ again: TIMEOUTS.attempt * 2 * number }),
  (number) => ({ again: TIMEOUTS.attempt * 5 * number }),
  ...PLAIN.map((fault) => () => fault),
];
