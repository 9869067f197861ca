import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';

import { type Document, listDefinitions, listOperations, type Operation } from '../../../shared/swagger/listing.js';

const document: Document = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));

const operation: Operation = {
  tags: ['Notes'],
  summary: 'Counts `notes` <all>.',
  operationId: 'Count',
  parameters: [],
  responses: { 204: { description: 'No Content' } },
};
const list = (described: Operation) => listOperations({ ...document, paths: { '/notes/{id}': { get: described } } });

describe('the plain list', () => {
  it('has every operation, with its parameters and responses, under its tag', () => {
    const html = listOperations(document);
    for (const { operationId, parameters, responses } of Object.values(document.paths).flatMap((one) =>
      Object.values(one),
    )) {
      const listed = html.slice(html.indexOf(`data-operation="${operationId}"`)).split('</details>')[0];
      for (const { name } of parameters) expect(listed).toContain(`<dt>${name} <small>in `);
      for (const status of Object.keys(responses)) expect(listed).toContain(`<dt>${status}`);
    }
    const tags = Object.values(document.paths).flatMap((methods) => Object.values(methods).flatMap((one) => one.tags));
    expect(html.match(/<h2>.*<\/h2>/g)).toEqual(Array.from(new Set(tags), (tag) => `<h2>${tag}</h2>`));
    expect(html).toContain('<dt>200 <small>array of TodoItem</small></dt>');
  });

  it('escapes what is no HTML, and shows code as code', () => {
    expect(list(operation)).toContain('<span class="words">Counts <code>notes</code> &lt;all&gt;.</span>');
    expect(list(operation)).toContain('<span class="path"><wbr>/notes<wbr>/{id}</span>');
  });

  it('has the longer description of an operation, where there is one', () => {
    expect(list({ ...operation, description: 'Slowly.' })).toContain('<p>Slowly.</p>');
    expect(list(operation)).not.toContain('<p>');
  });

  it('has no empty parts', () => {
    expect(list(operation)).not.toContain('Parameters');
    expect(list(operation)).toContain('<dt>204</dt><dd>No Content</dd>');
  });

  it('has the definitions, with the members of their members', () => {
    const html = listDefinitions(document);
    expect(html).toContain('<summary>TodoItem</summary>');
    expect(html).toContain('<dt>name <small>string, required</small></dt>');
    expect(html).toContain('<dt>isComplete <small>boolean, default false</small></dt>');
    expect(html).toMatch(/<dt>errors <small>array of object<\/small><\/dt><dd>[^<]*<dl><div><dt>pointer/);
    expect(listDefinitions({ ...document, definitions: { Nothing: {} } })).toContain('<div></div>');
    const bare = { Bare: { properties: { member: { type: 'string' } } } };
    expect(listDefinitions({ ...document, definitions: bare })).toContain('<small>string</small></dt><dd></dd>');
  });
});
