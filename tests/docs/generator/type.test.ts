import { describe, expect, it } from '@jest/globals';
import { type Definition, exampleOf, typeTextOf } from '../../../docs/generator/type.js';

describe('the text for a type', () => {
  const cases: [definition: Definition, text: string][] = [
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'integer', minimum: 1, maximum: 1000, default: 50 }, 'integer from 1 to 1000, default 50'],
    [{ type: 'number', minimum: 0 }, 'number of at least 0'],
    [{ type: 'integer', maximum: 9 }, 'integer of at most 9'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'number above 0'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 'number above 0 and at most 0.5'],
    [{ type: 'string', minLength: 1, maxLength: 64 }, 'string of 1 to 64 characters'],
    [{ type: 'string', enum: ['low', 'high'], default: 'low' }, 'string one of low, high, default "low"'],
    [{ type: 'boolean', 'x-nullable': true }, 'boolean or null'],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, 'array of string (date)'],
    [{ in: 'body', schema: { type: 'object' } }, 'object'],
    [{}, ''],
  ];

  it.each(cases)('of %j is %j', (definition, text) => {
    expect(typeTextOf(definition)).toEqual({ text: [text, ''] });
  });

  it('has the name of a definition in a member of its own, to link to it', () => {
    const $ref = '#/definitions/Note';
    expect(typeTextOf({ $ref })).toEqual({ text: ['', ''], definition: 'Note' });
    expect(typeTextOf({ schema: { type: 'array', items: { $ref } } })).toEqual({
      text: ['array of ', ''],
      definition: 'Note',
    });
  });
});

describe('the example of a value', () => {
  const definitions = {
    Note: {
      type: 'object',
      properties: {
        text: { type: 'string', example: 'Hello' },
        pages: { type: 'integer', minimum: 1 },
        weight: { type: 'number' },
        price: { type: 'number', minimum: 0, exclusiveMinimum: true },
        share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 },
        isDone: { type: 'boolean', default: false },
        size: { type: 'string', enum: ['A4', 'A5'] },
        tags: { type: 'array', items: { type: 'string' } },
        rest: { type: 'object' },
      },
    },
  };

  it('is the documented example, or a value of its type', () => {
    expect(exampleOf({ schema: { $ref: '#/definitions/Note' } }, definitions)).toEqual({
      text: 'Hello',
      pages: 1,
      weight: 0,
      price: 1,
      share: 0.5,
      isDone: false,
      size: 'A4',
      tags: ['string'],
      rest: {},
    });
  });

  it('is null if nothing is known of the value', () => {
    expect(exampleOf({ $ref: '#/definitions/Missing' }, definitions)).toBeNull();
  });
});
