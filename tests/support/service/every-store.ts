import { describe, jest } from '@jest/globals';
import type { OpenStore } from '../../../shared/store/store.js';
import { useOptions } from './service.js';

/**
 * Declares the tests that every store must pass: what the service promises of items, of the list, of conditional requests and of
 * `Idempotency-Key`, called over the wire, with parcels in that store. A file of tests can do this once.
 *
 * @param name - Where the store keeps items, as in "in a table".
 * @param openStore - Opens an empty store each time it is called.
 */
export function describeStore(name: string, openStore: OpenStore): void {
  describe(`with the collection ${name}`, () => {
    // One gateway is enough, because a store does not know from which one a request came.
    jest.doMock('../gateways/gateways.js', () => {
      const { gateways, ...actual } = jest.requireActual<{ gateways: object[] }>('../gateways/gateways.js');
      const one = gateways.slice(0, 1);
      return { ...actual, gateways: one, typicalGateways: one };
    });
    useOptions({ openStore });
    for (const suite of ['operations', 'list', 'conditions', 'idempotency'])
      require(`../../shared/rules/${suite}.test.js`);
  });
}
