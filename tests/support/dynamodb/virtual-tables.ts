import { afterAll, afterEach, beforeAll, jest } from '@jest/globals';
import { TIMEOUTS } from '../../../shared/dynamodb/retry.js';
import { type Service, startService } from '../service/service.js';
import { environmentOf, startTables, type TableEnvironment, type Tables } from './tables.js';
import { useVirtualNetwork, type VirtualNetwork } from './virtual-network.js';
import { VirtualTime } from './virtual-time.js';

/**
 * Has the tests of a file run in virtual time, with the time-outs as deployed.
 *
 * @returns The network that misbehaves, there from the first test on; what makes a test virtual; and two instances on a
 * table of their own, the first of which reaches it over that network.
 */
export function useVirtualTables() {
  const time = new VirtualTime();
  let tables: Tables;
  let network: VirtualNetwork;

  beforeAll(async () => {
    tables = await startTables();
    network = useVirtualNetwork(time, tables.endpoint, TIMEOUTS);
    time.install();
  });

  afterEach(() => network.misbehave());

  afterAll(async () => {
    await time.run(() => network.settled());
    jest.restoreAllMocks();
    await tables.stop();
  });

  return {
    time,
    network: () => network,
    virtually<Parameters extends unknown[]>(test: (...parameters: Parameters) => Promise<void>) {
      return (...parameters: Parameters) => time.run(() => test(...parameters));
    },
    async startTwo(): Promise<{ environment: TableEnvironment; service: Service; other: Service }> {
      const environment = await time.outside(tables.create());
      const service = startService(undefined, environmentOf(environment.TODO_TABLE, network.endpoint));
      return { environment, service, other: startService(undefined, environment) };
    },
  };
}
