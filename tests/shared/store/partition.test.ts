import { expect, it } from '@jest/globals';
import { partitionsOf } from '../../../shared/store/partition.js';

it("items that all callers share are in the partition of the resource, an owner's in one of their own", () => {
  expect(partitionsOf('parcel', undefined)).toEqual({ items: 'parcel', firstUses: 'parcel/Idempotency-Key' });
  const owner = 'https://login.example.com/ 7';
  expect(partitionsOf('parcel', owner)).toEqual({
    items: 'parcel/items/https://login.example.com/ 7',
    firstUses: 'parcel/Idempotency-Key/https://login.example.com/ 7',
  });
});
