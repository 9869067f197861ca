import { expect, it } from '@jest/globals';
import { partitionsOf } from '../../../shared/store/partition.js';

it("items that all callers share are in the partition of the resource, an owner's in one of their own", () => {
  expect(partitionsOf('todo', undefined)).toEqual({ items: 'todo', firstUses: 'todo/Idempotency-Key' });
  const owner = 'https://login.example.com/ 7';
  expect(partitionsOf('todo', owner)).toEqual({
    items: 'todo/items/https://login.example.com/ 7',
    firstUses: 'todo/Idempotency-Key/https://login.example.com/ 7',
  });
});
