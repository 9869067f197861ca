import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Attributes } from '../../../shared/store/attribute.js';
import { RowFormat, versionIn } from '../../../shared/store/row.js';
import { aParcel, type Parcel, parcel } from '../../support/service/parcels.js';

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const format = new RowFormat(parcel);
const itemOf = (members: Partial<Parcel> = {}): Parcel => ({ key: KEY, ...aParcel(), ...members });
const row = (item: Parcel | undefined) => ({ key: KEY, version: 7, writeId: 'write-1', item });

/** What DynamoDB returns of a row that it has stored: it goes there and back as JSON, so it must be nothing but JSON. */
const stored = (attributes: Attributes): Attributes => JSON.parse(JSON.stringify(attributes));

describe('a row', () => {
  it('is found by the resource and the key, and has the members in a map', () => {
    const item = itemOf({ due: '2026-11-21T09:30:00Z', tags: ['x'], sizes: [null, 1.5], fragile: true });
    expect(format.attributesOf('parcel', row(item))).toEqual({
      resource: { S: 'parcel' },
      key: { S: KEY },
      version: { N: '7' },
      writeId: { S: 'write-1' },
      item: {
        M: {
          label: { S: 'a parcel' },
          note: { NULL: true },
          service: { S: 'letter' },
          day: { NULL: true },
          due: { S: '2026-11-21T09:30:00Z' },
          pieces: { N: '1' },
          weight: { N: '0.5' },
          fragile: { BOOL: true },
          tags: { L: [{ S: 'x' }] },
          sizes: { L: [{ NULL: true }, { N: '1.5' }] },
        },
      },
    });
  });

  it('of a removed item has no members, but a time when it expires', () => {
    const attributes = format.attributesOf('parcel', { ...row(undefined), expires: 1_790_000_000 });
    expect(attributes).toEqual({
      resource: { S: 'parcel' },
      key: { S: KEY },
      version: { N: '7' },
      writeId: { S: 'write-1' },
      expires: { N: '1790000000' },
    });
    expect(format.parse(stored(attributes))).toEqual(row(undefined));
    expect(versionIn(format.parse(stored(attributes)))).toBeUndefined();
    expect(versionIn(undefined)).toBeUndefined();
  });

  it('has no number that DynamoDB would reject, and no text that is not UTF-8', () => {
    const item = itemOf({
      weight: 1e126,
      sizes: [-9.99e-131, 1e-130, 1e125, 0],
      label: 'a\ud800',
      tags: ['\udc00', 'é'],
    });
    expect(format.attributesOf('parcel', row(item)).item).toMatchObject({
      M: {
        weight: { S: '1e+126' },
        sizes: { L: [{ S: '-9.99e-131' }, { N: '1e-130' }, { N: '1e+125' }, { N: '0' }] },
        label: { B: Buffer.from('a\ud800', 'utf16le').toString('base64') },
        tags: { L: [{ B: Buffer.from('\udc00', 'utf16le').toString('base64') }, { S: 'é' }] },
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
    fc.assert(
      fc.property(members, fc.nat(), (given, version) => {
        const before = { ...row(itemOf(given)), version };
        expect(format.parse(stored(format.attributesOf('parcel', before)))).toEqual(before);
      }),
      { numRuns: 300 },
    );
  });
});
