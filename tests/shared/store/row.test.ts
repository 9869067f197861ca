import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Attributes } from '../../../shared/store/attribute.js';
import { partitionsOf } from '../../../shared/store/partition.js';
import { RowFormat } from '../../../shared/store/row.js';
import { aParcel, type Parcel, parcel } from '../../support/service/parcels.js';

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const format = new RowFormat(parcel);
const itemOf = (members: Partial<Parcel> = {}): Parcel => ({ key: KEY, ...aParcel(), ...members });
const row = (item: Parcel | undefined) => ({ key: KEY, version: 7, writeId: 'write-1', item });

/** What DynamoDB returns of a row that it has stored: it goes there and back as JSON, so it must be nothing but JSON. */
const stored = (attributes: Attributes): Attributes => JSON.parse(JSON.stringify(attributes));

describe('a row', () => {
  it('is in the partition of its resource, which all callers share, or in one of its owner', () => {
    expect(partitionsOf('parcel', undefined)).toEqual({ items: 'parcel', firstUses: 'parcel/Idempotency-Key' });
    expect(partitionsOf('parcel', 'https://login.example.com/ 7')).toEqual({
      items: 'parcel/items/https://login.example.com/ 7',
      firstUses: 'parcel/Idempotency-Key/https://login.example.com/ 7',
    });
  });

  it('has the members in a map, without numbers that DynamoDB would reject and texts that are not UTF-8', () => {
    const texts = { label: 'a\ud800', due: '2026-11-21T09:30:00Z', tags: ['\udc00', 'é'] };
    const item = itemOf({ ...texts, weight: 1e126, sizes: [null, -9.99e-131, 1e-130, 1e125, 0], fragile: true });
    expect(format.attributesOf('parcel', row(item))).toEqual({
      resource: { S: 'parcel' },
      key: { S: KEY },
      version: { N: '7' },
      writeId: { S: 'write-1' },
      item: {
        M: {
          label: { B: Buffer.from('a\ud800', 'utf16le').toString('base64') },
          note: { NULL: true },
          service: { S: 'letter' },
          day: { NULL: true },
          due: { S: '2026-11-21T09:30:00Z' },
          pieces: { N: '1' },
          weight: { S: '1e+126' },
          fragile: { BOOL: true },
          tags: { L: [{ B: Buffer.from('\udc00', 'utf16le').toString('base64') }, { S: 'é' }] },
          sizes: { L: [{ NULL: true }, { S: '-9.99e-131' }, { N: '1e-130' }, { N: '1e+125' }, { N: '0' }] },
        },
      },
    });
  });

  it('is parsed to the same item, whatever its values', () => {
    const text = fc.string({ unit: fc.oneof(fc.constantFrom('\ud800', '\udfff', '"', '\\', '\u0000'), fc.string()) });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0); // JSON has no -0
    const members = fc.record({
      label: text,
      note: fc.option(text),
      weight: number,
      pieces: fc.maxSafeInteger(),
      fragile: fc.boolean(),
      tags: fc.array(text, { maxLength: 3 }),
      sizes: fc.array(fc.option(number), { maxLength: 3 }),
    });
    const isParsed = fc.property(members, fc.nat(), (given, version) => {
      const before = { ...row(itemOf(given)), version };
      expect(format.parse(stored(format.attributesOf('parcel', before)))).toEqual(before);
    });
    fc.assert(isParsed, { numRuns: 300 });
  });
});
