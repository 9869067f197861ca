import { describe, expect, it } from '@jest/globals';
import { fieldsOf } from '../../../docs/generator/fields.js';

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
const body = { name: 'note', in: 'body', required: true, schema: { $ref: '#/definitions/Note' } };
const exampleBody = (method: string, parameter: object = body) =>
  JSON.parse(fieldsOf({ parameters: [parameter] }, method, definitions)[0]?.value as string);

describe('the fields of an operation', () => {
  it('are its parameters as they are documented', () => {
    const parameters = [
      { name: 'id', in: 'path', type: 'string', required: true },
      { name: 'If-Match', in: 'header', type: 'string', description: 'Entity tags.' },
    ];
    expect(fieldsOf({ parameters }, 'get', {})).toEqual(parameters);
  });

  it('offer a choice for booleans and enumerations, and no value for optional ones', () => {
    const parameters = [
      { name: 'open', in: 'query', type: 'boolean' },
      { name: 'size', in: 'query', type: 'string', enum: ['A4', 'A5'], required: true },
    ];
    const choices = fieldsOf({ parameters }, 'get', {}).map((field) => field.choices);
    expect(choices).toEqual([
      ['', true, false],
      ['A4', 'A5'],
    ]);
  });

  it('offer the media types, JSON first, each once, and none if there are none', () => {
    const operation = { parameters: [], consumes: ['application/json'], produces: ['text/plain', 'application/json'] };
    expect(fieldsOf(operation, 'post', {})).toEqual([
      { in: 'header', name: 'Content-Type', choices: ['application/json'] },
      { in: 'header', name: 'Accept', choices: ['application/json', 'text/plain'] },
    ]);
    expect(fieldsOf({ parameters: [], produces: ['text/plain'] }, 'get', {})).toEqual([
      { in: 'header', name: 'Accept', choices: ['text/plain'] },
    ]);
  });

  it('have the documented example as the body, without the members that the service assigns to a new item', () => {
    expect(exampleBody('put')).toEqual({ id: '1', text: 'Hello', isDone: false });
    expect(exampleBody('post')).toEqual({ text: 'Hello', isDone: false });
    expect(exampleBody('post', { name: 'note', in: 'body' })).toEqual({});
    expect(exampleBody('post', { name: 'note', in: 'body', schema: { type: 'object' } })).toEqual({});
  });
});
