import fc from 'fast-check';
import { gateways } from '../../support/gateways/gateways.js';
import { PARCELS } from '../../support/service/parcels.js';

/** One of the gateways. */
export const anyGateway = fc.constantFrom(...gateways).map((gateway) => ({ ...gateway, toString: () => gateway.name }));

/** Methods, and values that are not. */
export const anyMethod = fc.oneof(
  anyOf('GET HEAD POST PUT PATCH DELETE OPTIONS'),
  anyOf('get TRACE CONNECT PROPFIND __proto__ constructor'),
  fc.constantFrom('', ' ', 'GET\r\nX: y', 'G'.repeat(9e4)),
  fc.string(),
);

/** Paths as no sensible client sends them. */
const anyPath = fc.oneof(
  fc
    .array(
      fc.oneof(
        anyOf(`/ /${PARCELS.replaceAll('/', ' ')} . .. % %2 %2F %2e%2e`),
        anyOf('%zz %00 %ff %C3 %C3%A9 %F0%9F%98%80 \\ ? # ; // \u0130 __proto__ *'),
        fc.string({ unit: 'binary', maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => `/${parts.join('')}`),
  anyOf(`${'/'.repeat(1e5)} ${PARCELS}/${'%'.repeat(1e5)} ${PARCELS}/${'%C3'.repeat(3e4)} /${'a/'.repeat(5e4)}`),
);

/** Values for a member of an event. */
export const anyValue = fc.oneof(
  fc.constantFrom(null, '', 0, true, [], {}, '\u0000', '/', '%', { __proto__: null }, [null]),
  fc.constantFrom('x'.repeat(1e5), `${'/'.repeat(1e5)}${'x'.repeat(20)}`),
  fc.jsonValue(),
);

/** A body that is sent by chance or with malice, most of them made from a valid parcel. */
export const anyParcelBody = fc.oneof(
  fc
    .tuple(
      fc.json(),
      fc.array(fc.tuple(fc.nat(), fc.nat(3), fc.string({ unit: 'binary', maxLength: 3 })), { maxLength: 4 }),
    )
    .map(([json, edits]) => edits.reduce(edit, `{"label":"x","other":${json}}`)),
  fc.constantFrom(
    `${'['.repeat(1e5)}${']'.repeat(1e5)}`,
    `{"label":"x","deep":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`,
    `{"label":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    `{${'"label":"x",'.repeat(1e5)}"label":"y"}`,
    '{"label":"x","fragile":true,"fragile":1}',
    '{"label":"\\ud800"}',
    '{"label":"\ud800"}',
    '{"label":"\\udc00\\ud800"}',
    '\ufeff{"label":"x"}',
    '\ufeff\ufeff{"label":"x"}',
    '{"label":"x","key":1e999}',
    '{"label":-1e999}',
    `{"label":"x","other":${'9'.repeat(1e5)}}`,
    '{"__proto__":{"label":"x"}}',
    '{"constructor":{"prototype":{"label":"x"}}}',
    '{"label":"x"} {"label":"y"}',
    "{'label':'x'}",
    '{"label":"x",}',
    '{"label":"x\ty"}',
    'NaN',
    '\u0000',
  ),
);

/** Header fields that the service reads, with any value. */
const anyFields = fc.dictionary(
  anyOf('Accept Accept-Encoding If-Match If-None-Match Content-Type Origin Host __proto__'),
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.constantFrom('"', 'W/', ',', ';', '*', '/', 'q=', '1', ' ', 'json', '+') }),
    fc.constantFrom(
      '"'.repeat(99_999),
      'W/"'.repeat(3e4),
      ','.repeat(1e5),
      `a/${'+json'.repeat(2e4)}x`,
      ' '.repeat(1e5),
    ),
  ),
);

const anyParameter = fc.tuple(
  fc.oneof(fc.constantFrom('limit', 'after', 'Limit', '__proto__', 'constructor', ''), fc.string()),
  fc.oneof(
    fc.constantFrom('1', '0', '-1', '1e3', '1001', '01', ' 1', '٣', 'NaN', '9'.repeat(1e5), 'A'.repeat(1e5), '%00'),
    fc.string({ unit: 'binary' }),
  ),
);

const anyQuery = fc.array(anyParameter, { maxLength: 4 }).map((parameters) => new URLSearchParams(parameters));

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

/** A call whose method and path, header fields or query are made up. */
export const anyCall: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ method: anyMethod, path: anyPath }),
  fc.record({ method: anyOf('GET POST DELETE OPTIONS'), path: anyOf(`${PARCELS} ${PARCELS}/1 /`), headers: anyFields }),
  anyQuery.map((query) => ({ method: 'GET', path: `${PARCELS}?${query}` })),
);

/** Any bytes in base64, and texts that are not base64. */
export const anyBase64 = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string(),
  fc.constantFrom('=', '==', '====', 'e30', 'e30=', 'e30 ', 'e\n30=', '-_-_', '77u/77u/e30='),
);

/** Changes the member of an event at some position, at any depth: gives it a value, removes it, or adds one beside it. */
export function change(event: object, position: number, value: unknown): void {
  const members: [Record<string, unknown>, string][] = [];
  const visit = (object: Record<string, unknown>) => {
    for (const [name, inner] of Object.entries(object)) {
      members.push([object, name]);
      if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>);
    }
  };
  visit(event as Record<string, unknown>);
  const [object, name] = members[position % Math.max(1, members.length)] ?? [];
  if (!object || name === undefined) return;
  if (value === undefined) delete object[name];
  else object[position % 3 === 0 ? `${name}2` : name] = structuredClone(value);
}

function edit(text: string, [position, kind, inserted]: [number, number, string]): string {
  const at = position % (text.length + 1);
  if (kind === 0) return text.slice(0, at);
  if (kind === 1) return text.slice(0, at) + text.slice(at + 1);
  return text.slice(0, at) + (kind === 2 ? inserted : text) + text.slice(at);
}

/** One of some words. */
export function anyOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '));
}
