import { describe, expect, it } from '@jest/globals';
import { exampleBodyOf, exampleOf } from '../../../docs/page/markup/examples.js';
import { html } from '../../../docs/page/markup/html.js';
import { inputsOf } from '../../../docs/page/markup/inputs.js';
import type { DocumentedOperation, Parameter } from '../../../docs/page/markup/swagger-document.js';

const definitions = {
  Note: {
    type: 'object',
    required: ['text'],
    properties: {
      id: { type: 'string', format: 'uuid', example: '1' },
      text: { type: 'string', example: 'Hello' },
      isDone: { type: 'boolean', default: false },
    },
  },
};
const note = { name: 'note', in: 'body', required: true, schema: { $ref: '#/definitions/Note' } };

const fields = (parameters: readonly Parameter[], more: Partial<DocumentedOperation> = {}, method = 'put') => {
  const operation = { tags: [], summary: '', operationId: '', responses: {}, parameters, ...more };
  return html`${inputsOf(operation, method, definitions, 'f')}`.text;
};

/** The names of all fields, in their order. */
const names = (markup: string) => Array.from(markup.matchAll(/ name="([^"]*)"/g), ([, name]) => name);

describe('the fields of an operation', () => {
  it('stand in the order of use: path, query, body, header fields, media types', () => {
    const parameters = [
      { name: 'If-Match', in: 'header', type: 'string' },
      note,
      { name: 'limit', in: 'query', type: 'integer' },
      { name: 'id', in: 'path', type: 'string', required: true },
    ];
    const mediaTypes = { consumes: ['application/json'], produces: ['text/plain', 'application/json'] };
    expect(names(fields(parameters, mediaTypes)).join()).toBe('id,limit,note,If-Match,Content-Type,Accept');
  });

  it('offer a choice for booleans and enumerations, and no value for optional ones', () => {
    const open = fields([{ name: 'open', in: 'query', type: 'boolean' }]);
    expect(open).toMatch(/<select .*<option value="">–<\/option><option>true<\/option><option>false<\/option>/);
    const size = fields([{ name: 'size', in: 'query', type: 'string', enum: ['A4', 'A5'], required: true }]);
    expect(size).toMatch(/aria-required="true"><option>A4<\/option><option>A5<\/option><\/select>/);
  });

  it('offer the media types where there is a choice, JSON first, each once', () => {
    const produces = ['text/plain', 'application/json', 'text/plain'];
    expect(fields([], { produces })).toMatch(
      /<option>application\/json<\/option><option>text\/plain<\/option><\/select>/,
    );
    expect(fields([], { produces: ['text/plain'] })).toBe(
      '<input type="hidden" name="Accept" data-for="header" value="text/plain">',
    );
  });

  it('say in one or two short sentences what they are, and fold the rest', () => {
    const of = (description: string) => fields([{ name: 'id', in: 'path', description, 'x-example': 7 }]);
    expect(of('One. Two. Three. Four.')).toMatch(
      /-about">One\. Two\. For example <code>7<\/code>\.<\/p>.*<p>Three\. Four\./,
    );
    const long = `Two ${'and more '.repeat(15)}.`;
    expect(of(`One. ${long}`)).toMatch(new RegExp(`-about">One\\. For .*More</summary><p>${long}</p>`));
    expect(of('One.')).not.toContain('details');
    const headers = ['If-Match', 'X-Odd'].map((name) => ({ name, in: 'header', description: 'Tags.', required: true }));
    expect(fields(headers)).toMatch(/<summary>About If-Match, X-Odd<\/summary>.*Tags\..*Tags\./);
  });

  it('mark the member of a body that must be the id in the path, by its example', () => {
    const path = { name: 'id', in: 'path', type: 'string', 'x-example': '1' };
    expect(fields([path, note])).toContain('data-key="id"');
    expect(fields([{ ...path, 'x-example': '2' }, note])).not.toContain('data-key');
    expect(fields([path, { name: 'note', in: 'body' }])).not.toContain('data-key');
  });
});

describe('the example of a value', () => {
  it('is the documented one, or a value of its type, format and length, or null', () => {
    const properties = {
      text: { type: 'string', example: 'Hello' },
      pages: { type: 'integer', minimum: 1 },
      weight: { type: 'number' },
      price: { type: 'number', minimum: 0, exclusiveMinimum: true },
      share: { type: 'number', minimum: 0, exclusiveMinimum: true, maximum: 0.5 },
      isDone: { type: 'boolean', default: false },
      size: { type: 'string', enum: ['A4', 'A5'] },
      tags: { type: 'array', items: { type: 'string' } },
      rest: { type: 'object' },
      unknown: { $ref: '#/definitions/Missing' },
      code: { type: 'string', maxLength: 3 },
      title: { type: 'string', minLength: 8 },
      day: { type: 'string', format: 'date' },
      due: { type: 'string', format: 'date-time' },
      id: { type: 'string', format: 'uuid' },
    };
    expect(exampleOf({ $ref: '#/definitions/Book' }, { Book: { type: 'object', properties } })).toEqual({
      text: 'Hello',
      pages: 1,
      weight: 0,
      price: 1,
      share: 0.5,
      isDone: false,
      size: 'A4',
      tags: ['string'],
      rest: {},
      unknown: null,
      code: 'str',
      title: 'string--',
      day: '2026-11-21',
      due: '2026-11-21T09:30:00Z',
      id: '019aa5f2-7c4e-7a31-9d05-3b1f6d2c8e47',
    });
  });

  it('of a body lacks the members that the service assigns to a new item', () => {
    expect(exampleBodyOf(note.schema, 'put', definitions)).toEqual({ id: '1', text: 'Hello', isDone: false });
    expect(exampleBodyOf(note.schema, 'post', definitions)).toEqual({ text: 'Hello', isDone: false });
    expect(exampleBodyOf({}, 'post', definitions)).toEqual({});
  });
});
