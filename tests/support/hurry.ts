import { jest } from '@jest/globals';
import type { Timing } from '../../shared/dynamodb/retry.js';
import type { ObjectSchema } from '../../shared/schema/schema.js';

/**
 * Has the services that are started from now on, in this test file, give up on DynamoDB sooner, so that what takes seconds takes
 * tenths of seconds.
 *
 * @param timing - How long their calls may take.
 */
export function hurry(timing: Timing): void {
  const path = '../../shared/store/table.js';
  jest.doMock(path, () => {
    const { TableStore } = jest.requireActual<typeof import('../../shared/store/table.js')>(path);
    return {
      TableStore: class extends TableStore<ObjectSchema> {
        constructor(...[resource, options]: ConstructorParameters<typeof TableStore<ObjectSchema>>) {
          super(resource, { ...options, timing });
        }
      },
    };
  });
}
