import { expect, it } from '@jest/globals';
import { format, indent } from '../../docs/page/browser/json.js';

it('indents JSON, and keeps long numbers, duplicate names and escapes as they were written', () => {
  const json = '{"n":12345678901234567890.10,"a":1, "a" : [ ],"text":"\\u0041 \\"{[,:\\\\","list":[1,{}]}';
  expect(indent(json)).toBe(`{
  "n": 12345678901234567890.10,
  "a": 1,
  "a": [],
  "text": "\\u0041 \\"{[,:\\\\",
  "list": [
    1,
    {}
  ]
}`);
});

it('does not indent deep levels ever further, which would make deep JSON much longer', () => {
  expect(indent('['.repeat(5_000) + ']'.repeat(5_000)).length).toBeLessThan(1_000_000);
});

it('gives names, strings and other values a colour each', () => {
  const coloured = Array.from(format('{"a" :"b","c":-1.5e3,"d":[true]}')).filter(([, kind]) => kind);
  const shown = coloured.map(([text, kind]) => `${kind} ${text}`).join(', ');
  expect(shown).toBe('name "a", text "b", name "c", number -1.5e3, name "d", number true');
});
