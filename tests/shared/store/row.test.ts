import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { FIRST_KEY } from '../../../shared/store/key.js';
import { partitionsOf } from '../../../shared/store/partition.js';
import { attributesOf, createRowReader, tombstoneOf } from '../../../shared/store/row.js';
import { firstVersion, Version } from '../../../shared/store/version.js';
import { aParcel, type Parcel, parcel } from '../../support/service/parcels.js';

const KEY = '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47';
const { read } = createRowReader(parcel);
const keys = { partition: { S: 'parcel' }, key: { S: KEY } };
const versionOf = (members: Partial<Parcel> = {}, version = 7) =>
  new Version<typeof parcel>(KEY, version, { key: KEY, ...aParcel(), ...members });

describe('a row', () => {
  it('is in the partition of its resource, which all callers share, or in one of its owner', () => {
    expect(partitionsOf('parcel', undefined)).toEqual({ items: 'parcel', firstUses: 'parcel/Idempotency-Key' });
    expect(partitionsOf('parcel', 'https://login.example.com/ 7')).toEqual({
      items: 'parcel/items/https://login.example.com/ 7',
      firstUses: 'parcel/Idempotency-Key/https://login.example.com/ 7',
    });
    // An owner without a name is one, too.
    expect(partitionsOf('parcel', '')).toEqual({ items: 'parcel/items/', firstUses: 'parcel/Idempotency-Key/' });
  });

  it('has the item as its JSON, in which halves of surrogate pairs are escaped, because UTF-8 has none', () => {
    const version = versionOf({ label: 'a\ud800é', weight: 1e300, sizes: [null, 5e-324] });
    const json =
      `{"key":"${KEY}","label":"a\\ud800é","note":null,"service":"letter","day":null,"due":null,"pieces":1,` +
      '"weight":1e+300,"fragile":false,"tags":[],"sizes":[null,5e-324]}';
    expect(attributesOf(version, 'write-1')).toEqual({
      version: { N: '7' },
      writeId: { S: 'write-1' },
      item: { S: json },
    });
  });

  it('is read to the same version, whatever the values of its item', () => {
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
    const isRead = fc.property(members, fc.nat(), (given, number) => {
      const before = versionOf(given, number);
      const row = { ...keys, ...attributesOf(before, 'write-1') };
      const stored = JSON.parse(Buffer.from(JSON.stringify(row)).toString());
      const after = read(stored);
      expect([after?.item, after?.number, after?.json]).toEqual([before.item, number, before.json]);
    });
    fc.assert(isRead, { numRuns: 300 });
  });

  it('of a removed item has no item, and expires after two hours unless it is that of the first item', () => {
    const tombstone = tombstoneOf(versionOf());
    const left = Number(tombstone.expires) - Date.now() / 1_000;
    expect([tombstone.number, left > 7_100, left <= 7_200]).toEqual([8, true, true]);
    const attributes = attributesOf(tombstone, 'write-1');
    expect(attributes).toEqual({
      version: { N: '8' },
      writeId: { S: 'write-1' },
      expires: { N: String(tombstone.expires) },
    });
    expect(read(attributes)).toBeUndefined();
    const kept = attributesOf(tombstoneOf(firstVersion(FIRST_KEY, aParcel())), 'write-1');
    expect(kept).toEqual({ version: { N: '2' }, writeId: { S: 'write-1' } });
  });
});

it('an item is shown with an added member under the same version, and loses its value when the former release writes it', () => {
  const key = { type: 'string', format: 'uuid', readOnly: true } as const;
  const former: ObjectSchema = { title: 'Book', properties: { key, a: { type: 'string' } } };
  const added: ObjectSchema = {
    title: 'Book',
    properties: { ...former.properties, who: { type: 'string', default: 'nobody' } },
  };
  const row = { ...keys, version: { N: '7' }, item: { S: `{"key":"${KEY}","a":"x"}` } };
  const shown = createRowReader(added).read(row);
  expect([shown?.number, shown?.json]).toEqual([7, `{"key":"${KEY}","a":"x","who":"nobody"}`]);
  const rowOf = (version?: Version<ObjectSchema>) => ({
    ...keys,
    ...attributesOf(version as Version<ObjectSchema>, 'write-1'),
  });
  const byFormer = createRowReader(former)
    .read(rowOf(shown?.next({ who: 'Bea' })))
    ?.next({ a: 'y' });
  expect(createRowReader(added).read(rowOf(byFormer))?.json).toBe(`{"key":"${KEY}","a":"y","who":"nobody"}`);
});

describe('an item in a row', () => {
  const string = { type: 'string' } as const;
  const key = { ...string, format: 'uuid', readOnly: true } as const;

  /** Reads JSON by a schema that has other members beside the key. */
  function readAs(properties: ObjectSchema['properties'] | object, json: string) {
    const schema: ObjectSchema = { title: 'Book', properties: { key, ...properties } };
    return createRowReader(schema).read({ ...keys, version: { N: '1' }, item: { S: json } })?.json;
  }

  it.each<[string, object, string, string]>([
    ['null under its name', { a: { ...string, nullable: true, backfill: 'x' } }, '"a":null', '"a":null'],
    ['null under its former name', { a: { ...string, formerly: 'b', backfill: 'x' } }, '"b":null', '"a":null'],
    ['null under its name before its former one', { a: { ...string, formerly: 'b' } }, '"b":"x","a":null', '"a":null'],
    ['null as its backfill before its default', { a: { ...string, default: 'x', backfill: null } }, '', '"a":null'],
    ['its default without a backfill', { a: { ...string, default: 'x' } }, '', '"a":"x"'],
    ['null without either', { a: string }, '', '"a":null'],
    ['no inherited value', { constructor: { ...string, backfill: 'x' } }, '', '"constructor":"x"'],
    ['its own value under an inherited name', { constructor: string }, '"constructor":"x"', '"constructor":"x"'],
    ['no inherited value under its former name', { a: { ...string, formerly: 'toString' } }, '', '"a":null'],
    ['no prototype', { a: { ...string, formerly: '__proto__', backfill: 'x' } }, '', '"a":"x"'],
    ['what was stored as __proto__', { a: { ...string, formerly: '__proto__' } }, '"__proto__":"x"', '"a":"x"'],
    ['nothing that the schema does not name', {}, '"__proto__":{"a":1},"constructor":1', ''],
    ['values that break its rules', { a: { ...string, minLength: 2, enum: ['b'] } }, '"a":"c"', '"a":"c"'],
    ['a fraction for an integer', { a: { type: 'integer', maximum: 1 } }, '"a":1.5', '"a":1.5'],
    ['null where that is not allowed', { a: { type: 'array', items: string } }, '"a":null', '"a":null'],
    [
      'elements that break their rules',
      { a: { type: 'array', items: string, maxItems: 1 } },
      '"a":["b",null]',
      '"a":["b",null]',
    ],
    ['the order of the schema', { a: string, b: string }, '"b":"y","a":"x"', '"a":"x","b":"y"'],
  ])('has %s', (_what, properties, stored, expected) => {
    const inBraces = (...members: string[]) => `{${members.filter(Boolean).join()}}`;
    expect(readAs(properties, inBraces(stored, `"key":"${KEY}"`))).toBe(inBraces(`"key":"${KEY}"`, expected));
  });
});
