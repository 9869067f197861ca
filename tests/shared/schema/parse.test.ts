import { describe, expect, it } from '@jest/globals';
import { createParser, memberOf } from '../../../shared/schema/parse.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

// oracle.test.ts compares what is valid, and the members that result, with another validator.

describe('a body', () => {
  const parser = createParser(parcel);

  it('has the members that a client sets, in the order of the schema', () => {
    const { members } = parser.whole({ tags: ['x'], label: 'a', key: 5, other: 1 }) as { members: object };
    expect(JSON.stringify(members)).toBe(JSON.stringify(aParcel({ label: 'a', tags: ['x'] })));
  });

  it('names each member that is wrong or missing, or null in a patch without a default', () => {
    const [label, pieces, tag] = ['#/label', '#/pieces', '#/tags/0'].map((pointer) => ({ pointer }));
    expect(parser.whole({ tags: [''], pieces: 0 })).toMatchObject({ errors: [label, pieces, tag] });
    expect(parser.patch({ label: null, pieces: 'x' })).toMatchObject({ errors: [label, pieces] });
  });

  it('is invalid if a default is invalid', () => {
    const pieces = { type: 'integer', maximum: 5, default: 9 } as const;
    expect(createParser({ title: 'Wrong', properties: { key: parcel.properties.key, pieces } }).whole({})).toEqual({
      errors: [{ pointer: '#/pieces', detail: 'Must be an integer of at most 5; got 9.' }],
    });
  });
});

describe('a member', () => {
  it.each([
    [{ name: 1, NAME: 2 }, 1],
    [{ NAME: 2, name: 1 }, 1],
    [{ NAME: 1, Name: 2 }, 2],
    [{ names: 1 }, undefined],
    [Object.create({ name: 1, NAME: 2 }), undefined],
    [JSON.parse('{"__proto__":{"name":1}}'), undefined],
  ])('called name in %j is %j', (object, value) => {
    expect(memberOf(object, 'name')).toBe(value);
  });

  it('is never inherited', () => {
    for (const name of ['toString', 'constructor', '__proto__']) expect(memberOf({}, name)).toBeUndefined();
  });
});
