import { jest } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/retry.js';
import { FIRST_KEY } from '../../shared/store/key.js';
import type { Row } from '../../shared/store/row.js';
import type { Fault } from '../support/dynamodb/faults.js';
import {
  createRow,
  deleteExpired,
  environmentOf,
  type TableEnvironment,
  type Tables,
} from '../support/dynamodb/tables.js';
import { useVirtualNetwork } from '../support/dynamodb/virtual-network.js';
import { VirtualTime } from '../support/dynamodb/virtual-time.js';
import { FIRST, NAME, SCHEMA } from '../support/service/resource.js';
import { type Service, startService } from '../support/service/service.js';
import { Callers, type Recorded } from './callers.js';
import { createRandom } from './random.js';

const INSTANCES = 3;
const CALLERS = 6;
const CALLS = 30;

/** Milliseconds for which somebody may do nothing before a call: so long that rows expire. */
const MAX_SLEEP = 3_000_000;

/** What callers do most: anything, or POST with an `Idempotency-Key`, again and again. */
export type Habit = 'any call' | 'repeated POSTs';

/**
 * Records a history: many callers work on one table through several instances of the service, with the time-outs as
 * deployed, and a network that misbehaves between them and DynamoDB; in the end, when all that was held back is
 * delivered, everything is read once more. Time is virtual.
 *
 * @param tables - Where the table is made.
 * @param seed - Decides on the calls, on the faults, and on which of them meet.
 * @param habit - What callers do most.
 * @returns Everything that was called.
 */
export async function recordHistory(tables: Tables, seed: number, habit: Habit): Promise<readonly Recorded[]> {
  const random = createRandom(seed);
  const environment = await tables.create();
  const time = new VirtualTime();
  const network = useVirtualNetwork(time, tables.endpoint, TIMEOUTS, () => 1 + random.next() * 15);
  const start = () => startService(undefined, environmentOf(environment.TODO_TABLE, network.endpoint));
  const services = Array.from({ length: INSTANCES }, start);
  const callers = new Callers(random, random.pick([1, 2, 3]));
  const share = 0.1 + random.next() * 0.4;
  const faults = Array.from({ length: 4 }, () => random.pick(FAULTS));
  let left = CALLS;
  const work = async (caller: string, service: Service) => {
    while (left > 0) {
      left -= 1;
      if (habit === 'repeated POSTs' && random.next() < 0.35) await sleep(random.next() * MAX_SLEEP);
      if (habit === 'repeated POSTs' && random.next() < 0.5) await callers.postOnce(caller, service, time.now);
      else await callers.call(caller, service);
    }
  };
  const sleep = async (length: number) => {
    await time.pause(length);
    await time.outside(deleteExpired(environment, Date.now()));
  };
  time.install();
  jest.spyOn(Math, 'random').mockImplementation(createRandom(seed + 1).next);
  try {
    return await time.run(async () => {
      network.misbehaveBy(() => (random.next() < share ? random.pick(faults)(random.next()) : undefined));
      const oldRow = addOldRow(environment, time, random.pick([undefined, 0, random.next() * 200]));
      await Promise.all(
        Array.from({ length: CALLERS }, (_, number) =>
          work(`caller ${number}`, services[number % INSTANCES] as Service),
        ),
      );
      await Promise.all([network.settled(), oldRow]);
      network.misbehave();
      await callers.readAll(services[0] as Service);
      return callers.calls;
    });
  } finally {
    jest.restoreAllMocks();
  }
}

/** At some time, puts the first item's row into the table, as an instance of an older release would. */
async function addOldRow(environment: TableEnvironment, time: VirtualTime, at: number | undefined): Promise<void> {
  if (at === undefined) return;
  await time.pause(at);
  const item = { key: FIRST_KEY, ...FIRST };
  const row = { key: FIRST_KEY, version: 1, writeId: 'of an older release', item };
  await time.outside(createRow(environment, { name: NAME, schema: SCHEMA }, row as unknown as Row<typeof SCHEMA>));
}

/**
 * What goes wrong, given a number from 0 to 1; each history has a few kinds of it, for what they do together (Groce and
 * others, "Swarm Testing", 2012). There are more of those that leave open whether a write was applied.
 */
const FAULTS: readonly ((number: number) => Fault)[] = [
  ...Array<(number: number) => Fault>(4).fill((number) => ({ late: TIMEOUTS.attempt * (1 + 5 * number) })),
  (number) => ({ late: TIMEOUTS.attempt * number }),
  (number) => ({ again: TIMEOUTS.attempt * 2 * number }),
  (number) => ({ again: TIMEOUTS.attempt * 5 * number }),
  ...Array<() => Fault>(3).fill(() => 'hang after'),
  () => 'cut after',
  () => 'cut within the reply',
  () => 'fail after',
  () => 'hang',
  () => 'cut before',
  () => 'fail',
  () => 'throttle',
  () => 'talk nonsense',
  () => 'deny',
];
