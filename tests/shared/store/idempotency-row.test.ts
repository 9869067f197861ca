import { expect, it, jest } from '@jest/globals';
import type { RequestClient } from '../../../shared/dynamodb/retry.js';
import { firstUse } from '../../../shared/store/idempotency.js';
import { rememberUse } from '../../../shared/store/idempotency-row.js';

it('a use is put again where the row of an earlier one is deleted before it can be read', async () => {
  const outcomes = [{ kind: 'condition failed' }, { kind: 'succeeded', output: {} }, { kind: 'succeeded' }];
  const call = jest.fn<() => Promise<unknown>>();
  for (const outcome of outcomes) call.mockResolvedValueOnce(outcome);
  const use = firstUse('019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47', 'a digest');
  const client = { call } as unknown as RequestClient;
  expect(await rememberUse(client, 'items', 'parcel', 'key-1', use)).toEqual(use);
  expect(call.mock.calls.map(([operation]: unknown[]) => operation)).toEqual(['PutItem', 'GetItem', 'PutItem']);
});
