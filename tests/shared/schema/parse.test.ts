import { describe, expect, it } from '@jest/globals';
import { createParser, memberOf } from '../../../shared/schema/parse.js';
import { aParcel, parcel } from '../../support/service/parcels.js';

const parser = createParser(parcel);

describe('a whole item', () => {
  it('has the members that a client sets, in the order of the schema, and defaults for the others', () => {
    const parsed = parser.whole({ tags: ['x'], label: 'a', key: 5, other: 1 });
    expect(parsed).toEqual({ members: aParcel({ label: 'a', tags: ['x'] }) });
    expect(Object.keys('members' in parsed ? parsed.members : {})).toEqual(
      Object.keys(parcel.properties).filter((name) => name !== 'key'),
    );
  });

  it('names each member that is wrong or missing, in the order of the schema', () => {
    expect(parser.whole({ tags: [''], pieces: 0 })).toMatchObject({
      errors: [{ pointer: '#/label' }, { pointer: '#/pieces' }, { pointer: '#/tags/0' }],
    });
  });

  it('is invalid if a default is invalid', () => {
    const properties = {
      key: parcel.properties.key,
      pieces: { type: 'integer', maximum: 5, default: 9 },
    } as const;
    expect(createParser({ title: 'Wrong', properties }).whole({})).toEqual({
      errors: [{ pointer: '#/pieces', detail: 'Must be an integer of at most 5; got 9.' }],
    });
  });
});

describe('a merge patch', () => {
  it('has only the members that were sent, with their defaults instead of null', () => {
    expect(parser.patch({})).toEqual({ members: {} });
    expect(parser.patch({ FRAGILE: true, pieces: null, key: 5 })).toEqual({ members: { pieces: 1, fragile: true } });
  });

  it('names each member that is wrong, and each that is null without a default', () => {
    expect(parser.patch({ label: null, pieces: 'x' })).toMatchObject({
      errors: [{ pointer: '#/label' }, { pointer: '#/pieces' }],
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
