import { describe, expect, it } from '@jest/globals';
import { html } from '../../../docs/page/markup/html.js';
import type { Definition } from '../../../docs/page/markup/swagger-document.js';
import { typeOf } from '../../../docs/page/markup/type-text.js';

describe('the text for a type', () => {
  it.each<[definition: Definition, text: string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'string', format: 'uuid' }, 'string (uuid)'],
    [{ type: 'integer', minimum: 1, maximum: 1000, default: 50 }, 'integer from 1 to 1000, default 50'],
    [{ type: 'number', minimum: 0 }, 'number of at least 0'],
    [{ type: 'integer', maximum: 9 }, 'integer of at most 9'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'number above 0'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 }, 'number above 0 and at most 0.5'],
    [{ type: 'string', minLength: 1, maxLength: 64 }, 'string of 1 to 64 characters'],
    [{ type: 'string', enum: ['low', 'high'], default: 'low' }, 'string one of low, high, default &#34;low&#34;'],
    [{ type: 'string', pattern: '^<\\d+>$' }, 'string, matching <code>^&#60;\\d+&#62;$</code>'],
    [{ type: 'boolean', 'x-nullable': true }, 'boolean or null'],
    [{ type: 'array', items: { type: 'string', format: 'date' } }, 'array of string (date)'],
    [
      { type: 'array', items: { type: 'integer', maximum: 9 }, minItems: 1, maxItems: 3, uniqueItems: true },
      'array of integer of at most 9, of 1 to 3 items, without duplicates',
    ],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 3, 'x-nullable': true, default: [] },
      'array of string, of at most 3 items, or null, default []',
    ],
    [{ type: 'array', items: { $ref: '#/definitions/No"te' } }, 'array of <a href="#model-No%22te">No&#34;te</a>'],
    [{}, ''],
  ])('of %j is %j', (definition, text) => {
    expect(html`${typeOf(definition)}`.text).toBe(text);
  });
});
