import { afterAll, afterEach, beforeAll, it, jest } from '@jest/globals';
import { deleteRows, startTables, type Table, type Tables } from '../dynamodb/tables.js';
import { type Service, startService, useOptions } from '../service/service.js';
import { FaultyNetwork } from './network.js';
import { VirtualTime } from './time.js';

/**
 * Runs the tests of a file in virtual time, with the time-outs as deployed.
 *
 * @returns The time; the network that misbehaves, which exists from the first test on; `it`, whose tests run in that time;
 * and `startTwo`, which gives a test two instances on an empty table. The first instance reaches it over that network.
 */
export function useVirtualTables() {
  const time = new VirtualTime();
  let tables: Tables;
  let network: FaultyNetwork;
  let two: { readonly table: Table; readonly service: Service; readonly other: Service };

  beforeAll(async () => {
    tables = await startTables();
    network = new FaultyNetwork(time, tables.endpoint);
    useOptions(network.parts);
    const table = await tables.create();
    const service = startService(undefined, { table: { ...table, endpoint: network.endpoint } });
    two = { table, service, other: startService(undefined, { table }) };
    time.install();
  });

  afterEach(() => network.misbehave());

  afterAll(async () => {
    await time.run(() => network.settled());
    jest.restoreAllMocks();
    await tables.stop();
  });

  /** All tests get the same two, because loading a service takes longer than most tests. The table is emptied before each. */
  async function startTwo() {
    await network.settled();
    await time.outside(deleteRows(two.table));
    return two;
  }

  type Test = (...row: unknown[]) => Promise<void>;
  const inTime =
    (test: Test) =>
    (...row: unknown[]) =>
      time.run(() => test(...row));
  const each = (rows: readonly unknown[]) => (name: string, test: Test) => it.each(rows)(name, inTime(test));
  const virtualIt = Object.assign((name: string, test: Test) => it(name, inTime(test)), { each });
  return { time, network: () => network, it: virtualIt as unknown as typeof it, startTwo };
}
