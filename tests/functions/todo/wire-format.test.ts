import { describe, expect, it } from '@jest/globals';
import { startDeployed } from '../../support/service/deployed.js';

// The wire format of to-do items, spelled out: it changes only if this file does.

const GUID = '[\\da-f]{8}-[\\da-f]{4}-7[\\da-f]{3}-[89ab][\\da-f]{3}-[\\da-f]{12}';
const wire = (name: string, isComplete: boolean) =>
  new RegExp(`^{"key":"${GUID}","name":"${name}","isComplete":${isComplete}}$`);

describe('the wire format', () => {
  const service = startDeployed();
  const post = (body: unknown) => service.call('POST', '/api/todo', { body });

  it('of an item is key, name and isComplete, in that order, and the list begins with Item1', async () => {
    const { text } = await service.call('GET', '/api/todo');
    expect(text).toMatch(/^\[.*\]$/);
    expect(text.slice(1, -1)).toMatch(wire('Item1', false));
  });

  it('of an item is the same in the answers to POST and GET', async () => {
    const { text, json } = await post({ name: 'Walk the dog', isComplete: true });
    expect(text).toMatch(wire('Walk the dog', true));
    expect((await service.call('GET', `/api/todo/${json.key}`)).text).toBe(text);
  });

  it('has isComplete false if it is left out', async () => {
    expect((await post({ name: 'Walk the dog' })).text).toMatch(wire('Walk the dog', false));
  });

  it.each([' x ', '\u200b', 'a'.repeat(10_000)])('keeps the name %j just as it was sent', async (name) => {
    const { key } = (await post({ name })).json;
    expect((await service.call('GET', `/api/todo/${key}`)).json).toEqual({ key, name, isComplete: false });
  });

  it.each([
    ['{"NAME":"a","name":"b","Name":"c"}', 'b', false],
    ['{"NAME":"a","Name":"c","IsComplete":true}', 'c', true],
    ['{"name":"b","done":true}', 'b', false],
  ])('parses %s as the name %s and isComplete %s', async (body, name, isComplete) => {
    expect((await post(body)).json).toMatchObject({ name, isComplete });
  });

  it.each([
    ['POST', {}, '#/name', /^Must be a string that contains a character that is not white space, but is missing\.$/],
    ['POST', { __proto__: null, toString: 'x' }, '#/name', /but is missing/],
    ['POST', { name: null }, '#/name', /got null/],
    ['POST', { name: 5 }, '#/name', /got 5\./],
    ['POST', { name: ['x'] }, '#/name', /got an array/],
    ['POST', { name: { a: 1 } }, '#/name', /got an object/],
    ['POST', { name: '' }, '#/name', /got ""\./],
    ['POST', { name: ' \t\n\u0085\u00a0\u2003\u3000' }, '#/name', /character that is not white space; got "/],
    ['POST', { name: 'x', isComplete: null }, '#/isComplete', /Must be true or false; got null/],
    ['POST', { name: 'x', isComplete: 'true' }, '#/isComplete', /got "true"/],
    ['POST', { name: 'x', isComplete: 0 }, '#/isComplete', /got 0/],
    ['PATCH', { name: null }, '#/name', /got null/],
    ['PATCH', { name: ' ' }, '#/name', /character that is not white space; got "/],
    ['PATCH', { isComplete: 'yes' }, '#/isComplete', /got "yes"/],
  ])('answers 400 to %s %j, and names the member', async (method, body, pointer, detail) => {
    const path = method === 'POST' ? '/api/todo' : `/api/todo/${(await post({ name: 'a' })).json.key}`;
    const { status, json } = await service.call(method, path, { body });
    expect(status).toBe(400);
    expect(json.errors).toEqual([{ pointer, detail: expect.stringMatching(detail) }]);
  });

  it.each([
    [{ name: 'b' }, { name: 'b', isComplete: true }],
    [{ isComplete: false }, { name: 'a', isComplete: false }],
    [{ ISCOMPLETE: null }, { name: 'a', isComplete: false }],
  ])('merges %j into the item', async (body, expected) => {
    const { key } = (await post({ name: 'a', isComplete: true })).json;
    expect((await service.call('PATCH', `/api/todo/${key}`, { body })).status).toBe(204);
    expect((await service.call('GET', `/api/todo/${key}`)).json).toEqual({ key, ...expected });
  });
});
