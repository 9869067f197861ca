import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { openLog } from '../../../shared/log/log.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { addTombstones, createRow, deleteExpired, startTables, type Table } from '../../support/dynamodb/tables.js';
import { answerOf } from '../../support/service/answer.js';
import { parcels } from '../../support/service/parcels.js';
import { type Service, startService } from '../../support/service/service.js';
import { type Fault, FaultyNetwork } from '../virtual/network.js';
import { VirtualTime } from '../virtual/time.js';
import { Callers } from './callers.js';
import type { Call } from './item.js';
import { judge } from './judge.js';
import { createRandom } from './random.js';

const HISTORIES = Number(process.env.HISTORIES ?? 6);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

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

afterAll(async () => (await startedTables).stop());

describe('behind a network that misbehaves, several instances of the service', () => {
  it.each([
    ['to many callers at once', false],
    ['to callers who send POSTs again, at once and long after', true],
  ])(
    'give answers that calls made one at a time could have given, %s',
    async (to, again) => {
      const broken: string[] = [];
      let calls = 0;
      for (let done = 0; done < HISTORIES; done += 1) {
        const history = await recordHistory(SEED + done, again);
        calls += history.length;
        const faults = judge(history);
        if (faults.length > 0) broken.push(`HISTORY_SEED=${SEED + done} HISTORIES=1: ${faults.join('\n')}`);
      }
      process.stdout.write(`HISTORY_SEED=${SEED}, ${to}: ${calls} calls, ${broken.length} histories broken\n`);
      expect(broken.slice(0, 3).join('\n\n')).toBe('');
    },
    120_000 + HISTORIES * 10_000,
  );
});

/**
 * Records a history: many callers work on one table through several instances of the service, with the time-outs as
 * deployed and a network to DynamoDB that misbehaves. In the end, when everything that was late has been delivered, all
 * items are read once more. Time is virtual. The seed decides on the calls, the faults, and their order.
 */
async function recordHistory(seed: number, again: boolean): Promise<readonly Call[]> {
  const tables = await startedTables;
  const random = createRandom(seed);
  const table = await tables.create();
  const time = new VirtualTime();
  const network = new FaultyNetwork(time, tables.endpoint, () => 1 + random.next() * 15);
  const services = Array.from({ length: INSTANCES }, () =>
    onMachine(startInstance(table, network), time, random.next() * MAX_SKEW),
  );
  const callers = new Callers(random, random.pick([1, 2, 3]));
  const share = 0.1 + random.next() * 0.4;
  const faults = Array.from({ length: 4 }, () => random.pick(FAULTS));
  let left = CALLS;
  const work = async (caller: string, service: Service) => {
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
      const at = random.pick([undefined, 0, random.next() * 200]);
      const adding = at !== undefined && time.pause(at).then(() => time.outside(createRow(table, OLD_ROW)));
      const all = Array.from({ length: CALLERS }, (_, number) =>
        work(`caller ${number}`, services[number % INSTANCES] as Service),
      );
      await Promise.all([...all, adding]);
      await network.settled();
      network.misbehave();
      await callers.readAll(services[0] as Service);
      return callers.calls;
    });
  } finally {
    jest.restoreAllMocks();
  }
}

/** Starts an instance, which shares nothing with another one, not even the last key that it made. */
function startInstance({ name, ...access }: Table, { endpoint, parts }: FaultyNetwork): Service {
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
  const { TableStore } = store as NonNullable<typeof store>;
  return startService(undefined, { openStore: (resource) => new TableStore(resource, options) });
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

/** The first item's row, as an instance of an older release would put it. */
const OLD_ROW = {
  key: FIRST_KEY,
  version: 1,
  writeId: 'of an older release',
  item: { key: FIRST_KEY, ...parcels.first },
};

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
  ...plain('fail after', 'hang', 'cut before', 'fail', 'throttle', 'talk nonsense', 'deny'),
];

function plain(...faults: Fault[]) {
  return faults.map((fault) => () => fault);
}
