import { describe, expect, it } from '@jest/globals';
import { createReader, memberOf, type ObjectSchema } from '../../../shared/http/schema.js';

const schema = {
  title: 'Note',
  required: ['text'],
  properties: {
    id: { type: 'string', example: '1' },
    text: { type: 'string', rule: 'a string', example: 'a' },
    tag: { type: 'string', rule: 'a string', example: 'b' },
    pinned: { type: 'boolean', default: true, rule: 'true or false', example: true },
  },
} as const satisfies ObjectSchema;

const reader = createReader(schema);

describe('a schema', () => {
  it('reads the members that a client sets, and fills in defaults', () => {
    expect(reader.whole({ id: 5, text: 'x', other: 1 })).toEqual({ members: { text: 'x', pinned: true } });
    expect(reader.whole({ text: 'x', tag: 'y', pinned: false })).toEqual({
      members: { text: 'x', tag: 'y', pinned: false },
    });
  });

  it('reads only the members of a patch that are there', () => {
    expect(reader.patch({})).toEqual({ members: {} });
    expect(reader.patch({ pinned: null, tag: 'y' })).toEqual({ members: { pinned: true, tag: 'y' } });
  });

  it('names each member that is wrong', () => {
    const errors = [{ pointer: '#/text', detail: 'Must be a string, but is missing.' }];
    expect(reader.whole({})).toEqual({ errors });
    expect(reader.patch({ tag: null })).toEqual({
      errors: [{ pointer: '#/tag', detail: 'Must be a string, not null.' }],
    });
  });
});

describe('a member', () => {
  it.each([
    [{ name: 1, NAME: 2 }, 1],
    [{ NAME: 1, Name: 2 }, 2],
    [{ names: 1 }, undefined],
    [Object.create({ name: 1 }), undefined],
    [JSON.parse('{"__proto__":{"name":1}}'), undefined],
  ])('called name in %j is %j', (object, value) => {
    expect(memberOf(object, 'name')).toBe(value);
  });

  it.each(['toString', 'constructor', '__proto__'])('is never inherited: %s', (name) => {
    expect(memberOf({}, name)).toBeUndefined();
  });
});
