import { expect, it } from '@jest/globals';
import { format, indent, parse } from '../../docs/page/browser/json.js';

it('indents JSON, and keeps long numbers, duplicate names and escapes as they were written', () => {
  const json =
    '{"n":12345678901234567890.10,"a":1, "a" : [ ],"e":{},"text":"\\u0041 \\"{[,:\\\\","list":[1,{"x":null}]}';
  expect(indent(json)).toBe(`{
  "n": 12345678901234567890.10,
  "a": 1,
  "a": [],
  "e": {},
  "text": "\\u0041 \\"{[,:\\\\",
  "list": [
    1,
    {
      "x": null
    }
  ]
}`);
});

it('indents deep JSON so little that it does not become much longer', () => {
  expect(indent('['.repeat(5_000) + ']'.repeat(5_000)).length).toBeLessThan(1_000_000);
});

it('tells names, texts and other values apart, which get other colours', () => {
  const coloured = Array.from(format('{"a" :"b","c":-1.5e3,"d":[true,null]}')).filter(([, kind]) => kind);
  expect(coloured).toEqual([
    ['"a"', 'name'],
    ['"b"', 'text'],
    ['"c"', 'name'],
    ['-1.5e3', 'number'],
    ['"d"', 'name'],
    ['true', 'number'],
    ['null', 'number'],
  ]);
});

it('parses what is no JSON to undefined', () => {
  expect(['{"', '', 'null'].map(parse)).toEqual([undefined, undefined, null]);
});
