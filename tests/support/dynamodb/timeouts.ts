import { jest } from '@jest/globals';
import type { Timeouts } from '../../../shared/dynamodb/retry.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';

/** So long that no call fails because the machine is busy, but shorter than a test may take. */
export const GENEROUS: Timeouts = { total: 100_000, attempt: 50_000 };

/**
 * Gives the services that are started from now on, in this test file, other time-outs for their calls of DynamoDB.
 *
 * @param timeouts - How long calls may take.
 */
export function useTimeouts(timeouts: Timeouts): void {
  // Modules that are already loaded keep the earlier time-outs.
  jest.resetModules();
  mockTable(timeouts);
}

/** Does the same in a file that has not loaded the service yet. */
export function mockTable(timeouts: Timeouts): void {
  const path = '../../../shared/store/table.js';
  jest.doMock(path, () => {
    const { TableStore } = jest.requireActual<typeof import('../../../shared/store/table.js')>(path);
    return {
      TableStore: class extends TableStore<ObjectSchema> {
        constructor(...[resource, options]: ConstructorParameters<typeof TableStore<ObjectSchema>>) {
          super(resource, { ...options, timeouts });
        }
      },
    };
  });
}
