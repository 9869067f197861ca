import { describe } from '@jest/globals';
import type { OpenStore } from '../../../shared/store/store.js';
import { gateways } from '../../support/gateways/gateways.js';
import { describeConditions } from '../rules/conditions.js';
import { describeIdempotency } from '../rules/idempotency.js';
import { describeList } from '../rules/list.js';
import { describeOperations } from '../rules/operations.js';

/**
 * Declares the tests that every store must pass: what the service promises of items, of the list, of conditional requests and of
 * `Idempotency-Key`, called over the wire, with parcels in that store.
 *
 * @param name - Where the store keeps items, as in "in a table".
 * @param openStore - Opens an empty store each time it is called.
 */
export function describeStore(name: string, openStore: OpenStore): void {
  describe(`with the collection ${name}`, () => {
    // One gateway is enough, because a store does not know from which one a request came.
    const one = gateways.slice(0, 1);
    describeOperations(openStore, one);
    describeList(openStore, one);
    describeConditions(openStore);
    describeIdempotency(openStore);
  });
}
