import fc from 'fast-check';
import { gateways, type Sent } from '../support/gateways/gateways.js';
import { PARCELS } from '../support/service/parcels.js';

/** Any character of Unicode. fast-check's own, `unit: 'binary'`, takes more than a second of CPU time before its first one. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((index) => String.fromCodePoint(index < 0xd800 ? index : index + 0x800));

function anyOf(words: string): fc.Arbitrary<string> {
  return fc.constantFrom(...words.split(' '));
}

const anyMethod = fc.oneof(
  anyOf('GET HEAD POST PUT PATCH DELETE OPTIONS'),
  anyOf('get TRACE CONNECT PROPFIND __proto__ constructor toString'),
  fc.constantFrom('', ' ', 'GET\r\nX: y', 'G'.repeat(9e4)),
  fc.string(),
);

const anyPath = fc.oneof(
  fc
    .array(
      fc.oneof(
        anyOf(`/ /${PARCELS.replaceAll('/', ' ')} . .. % %2 %2F %2e%2e`),
        anyOf('%zz %00 %ff %C3 %C3%A9 %F0%9F%98%80 \\ ? # ; // \u0130 __proto__ constructor *'),
        fc.string({ unit: anyCharacter, maxLength: 5 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => `/${parts.join('')}`),
  anyOf(`${'/'.repeat(1e5)} ${PARCELS}/${'%'.repeat(1e5)} ${PARCELS}/${'%C3'.repeat(3e4)} /${'a/'.repeat(5e4)}`),
);

/** Header fields that the service reads, with any value. */
const anyFields = fc.dictionary(
  anyOf('Accept Accept-Encoding If-Match If-None-Match Content-Type Origin Host __proto__'),
  fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.string({ unit: fc.constantFrom('"', 'W/', ',', ';', '*', '/', 'q=', '1', ' ', 'json', '+') }),
    fc.constantFrom('"'.repeat(99_999), 'W/"'.repeat(3e4), `a/${'+json'.repeat(2e4)}x`, ' '.repeat(1e5)),
  ),
);

const anyQuery = fc
  .array(
    fc.tuple(
      fc.oneof(fc.constantFrom('limit', 'after', 'Limit', '__proto__', 'constructor', ''), fc.string()),
      fc.oneof(
        fc.constantFrom('1', '0', '-1', '1e3', '1001', '01', ' 1', '٣', 'NaN', '9'.repeat(1e5), '%00'),
        fc.string({ unit: anyCharacter }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((parameters) => new URLSearchParams(parameters));

/** A request whose method and path, header fields or query are made up. */
export const anyCall: fc.Arbitrary<Pick<Sent, 'method' | 'path'> & Partial<Sent>> = fc.oneof(
  fc.record({ method: anyMethod, path: anyPath }),
  fc.record({ method: anyOf('GET POST DELETE OPTIONS'), path: anyOf(`${PARCELS} ${PARCELS}/1 /`), headers: anyFields }),
  anyQuery.map((query) => ({ method: 'GET', path: `${PARCELS}?${query}` })),
);

const anyValue = fc.oneof(
  fc.constantFrom(null, '', 0, true, [], {}, '\u0000', '/', '%', { __proto__: null }, [null]),
  fc.constantFrom('x'.repeat(1e5), `${'/'.repeat(1e5)}${'x'.repeat(20)}`),
  fc.jsonValue(),
);

const anyMember = anyOf('httpMethod path rawPath requestContext headers body Records source');

const anyChangedEvent = fc
  .record({
    gateway: fc.constantFrom(...gateways),
    method: anyMethod,
    path: fc.constantFrom(PARCELS, `${PARCELS}/1`, '/'),
    changes: fc.array(fc.tuple(fc.nat(80), fc.option(anyValue, { nil: undefined })), { minLength: 1, maxLength: 4 }),
    added: fc.dictionary(anyMember, anyValue, { maxKeys: 1 }),
  })
  .map(({ gateway, changes, added, ...request }) => {
    const event = gateway.event({ ...request, headers: { 'Content-Type': 'application/json' }, body: '{"label":"x"}' });
    const values = new Map(changes);
    let position = -1;
    // Members whose value is undefined are left out.
    const changed = JSON.parse(JSON.stringify(event), (_name, value) => {
      position += 1;
      return values.has(position) ? values.get(position) : value;
    });
    return { ...changed, ...added };
  });

/** Any bytes in base64, and texts that are not base64. */
const anyBase64 = fc.oneof(
  fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
  fc.string(),
  fc.constantFrom('=', '====', 'e30', 'e30=', 'e30 ', 'e\n30=', '-_-_', '77u/77u/e30='),
);

/** Events with members missing, added or of the wrong type, at any depth; values that are no events; and odd base64. */
export const anyEvent: fc.Arbitrary<unknown> = fc.oneof(
  anyChangedEvent,
  fc.anything(),
  fc.dictionary(anyMember, anyValue),
  anyBase64.map((body) => ({ httpMethod: 'POST', path: PARCELS, isBase64Encoded: true, body })),
);

const anyPart = fc.oneof(
  fc.json().map((json) => Buffer.from(json).toString('base64url')),
  fc.base64String(),
  fc.string(),
);

/** A token that was changed in some way. */
export const anyTokenLike = (valid: string): fc.Arbitrary<string> => {
  const parts = valid.split('.');
  return fc.oneof(
    // One character is another.
    fc.tuple(fc.nat(valid.length - 1), fc.string({ minLength: 1, maxLength: 1 })).map(([at, character]) => {
      return valid.slice(0, at) + character + valid.slice(at + 1);
    }),
    fc.tuple(fc.nat(2), anyPart).map(([index, part]) => parts.with(index, part).join('.')),
    // Parts are missing, doubled or in another order.
    fc.array(fc.constantFrom(...parts), { maxLength: 6 }).map((some) => some.join('.')),
    fc.string({ unit: anyCharacter, maxLength: 200 }),
  );
};
