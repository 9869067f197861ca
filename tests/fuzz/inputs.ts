import fc from 'fast-check';
import { gateways } from '../support/gateways/gateways.js';

/** One of the gateways. */
export const anyGateway = fc.constantFrom(...gateways).map((gateway) => ({ ...gateway, toString: () => gateway.name }));

/** Methods, and values that are not. */
export const anyMethod = fc.oneof(
  fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
  fc.constantFrom(
    'get',
    'TRACE',
    'CONNECT',
    'PROPFIND',
    '',
    ' ',
    '__proto__',
    'constructor',
    'GET\r\nX: y',
    'G'.repeat(9e4),
  ),
  fc.string(),
);

/** Paths as no sensible client sends them. */
export const anyPath = fc.oneof(
  fc
    .array(
      fc.oneof(
        fc.constantFrom(
          '/',
          '/',
          'api',
          'todo',
          'swagger',
          'ui',
          'v1',
          'swagger.json',
          '.',
          '..',
          '%',
          '%2',
          '%2F',
          '%2e%2e',
        ),
        fc.constantFrom(
          '%zz',
          '%00',
          '%ff',
          '%C3',
          '%C3%A9',
          '%F0%9F%98%80',
          '\\',
          '?',
          '#',
          ';',
          '//',
          '\u0130',
          '__proto__',
          '*',
        ),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => `/${parts.join('')}`),
  fc.constantFrom(
    '/'.repeat(1e5),
    `/api/todo/${'%'.repeat(1e5)}`,
    `/api/todo/${'%C3'.repeat(3e4)}`,
    `/${'a/'.repeat(5e4)}`,
  ),
);

/** Values for a member of an event. */
export const anyValue = fc.oneof(
  fc.constantFrom(
    null,
    '',
    0,
    true,
    [],
    {},
    '\u0000',
    '/',
    '%',
    { __proto__: null },
    [null],
    'x'.repeat(1e5),
    `${'/'.repeat(1e5)}${'x'.repeat(20)}`,
  ),
  fc.jsonValue(),
);

/** A body that is sent by chance or by malice, made of one that is valid. */
export const anyBody = fc.oneof(
  fc
    .tuple(
      fc.json(),
      fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 }),
    )
    .map(([json, edits]) => edits.reduce(edit, `{"name":"x","other":${json}}`)),
  fc.constantFrom(
    `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    `{"name":"x","deep":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`,
    `{"name":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    `{${'"name":"x",'.repeat(1e5)}"name":"y"}`,
    '{"name":"x","isComplete":true,"isComplete":1}',
    '{"name":"\\ud800"}',
    '{"name":"\ud800"}',
    '{"name":"\\udc00\\ud800"}',
    '\ufeff{"name":"x"}',
    '\ufeff\ufeff{"name":"x"}',
    '{"name":"x","key":1e999}',
    '{"name":-1e999}',
    `{"name":"x","other":${'9'.repeat(1e5)}}`,
    '{"__proto__":{"name":"x"}}',
    '{"constructor":{"prototype":{"name":"x"}}}',
    '{"name":"x"} {"name":"y"}',
    "{'name':'x'}",
    '{"name":"x",}',
    '{"name":"x\ty"}',
    'NaN',
    '\u0000',
  ),
);

function edit(text: string, [place, kind, inserted]: [number, number, string]): string {
  const at = place % (text.length + 1);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1);
  return text.slice(0, at) + (kind === 2 ? inserted : text) + text.slice(at);
}
