import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { createBodyParser, LARGEST_BODY } from '../../../shared/http/body.js';
import { parcel } from '../../support/service/parcels.js';
import { aRequest, type Described } from '../../support/service/request.js';

const parse = createBodyParser({ schema: parcel, patch: true });

/** The object that was sent, or the status and detail that it is rejected with. */
function read(described: Described) {
  const parsed = parse(aRequest(described));
  if ('value' in parsed) return parsed.value.object;
  const { status, body = '' } = parsed.rejected;
  return [status, JSON.parse(body).detail];
}

const base64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });
const base64url = (text: string) => ({ body: Buffer.from(text).toString('base64url'), isBase64Encoded: true });

it.each([' \r\n\t{"a":1}\n', '\ufeff{"a":1}', '{"a":2,"a":1}'])('the body %j is an object', (body) => {
  for (const sent of [{ body }, base64(body), base64url(body)]) expect(read(sent)).toEqual({ a: 1 });
});

it.each([undefined, '', ' \n', '\ufeff'])('the body %j is missing, whatever its media type (rule 7)', (body) => {
  const headers = { 'content-type': 'text/plain' };
  for (const sent of [{ body }, base64(body ?? '')])
    expect(read({ headers, ...sent })).toEqual([400, 'The body is missing. Send a JSON object.']);
});

it.each([
  ['null', 'null. Send a JSON object.'],
  ['[]', 'an array; PATCH takes a JSON Merge Patch, not a JSON Patch. Send a JSON object.'],
  ['5', 'a number. Send a JSON object.'],
  ['{', 'not valid JSON: '],
  ['\ufeff\ufeff{}', 'not valid JSON: '],
])('the body %j is no JSON object, and the answer says what it is', (body, is) => {
  expect(read({ body })).toEqual([400, expect.stringContaining(`The body is ${is}`)]);
});

it.each(['!', 'e3 0=', 'e30===', 'e30=e', 'A', '/w==', 'wyg='])('%j in base64 is no UTF-8', (body) => {
  const detail = 'The body is not UTF-8 text. Send a JSON object.';
  expect(read({ body, isBase64Encoded: true })).toEqual([400, detail]);
});

const gzipped = { body: gzipSync('{"a":1}').toString('base64'), isBase64Encoded: true };

it.each([
  ['gzip', gzipped],
  [' BR ', { body: '{' }],
  ['identity, gzip', base64('\u001f')],
])(
  'a body in the content coding %j is rejected if it cannot be read, and the answer says how to send it',
  (coding, sent) => {
    const headers = { 'content-encoding': coding };
    const detail = `The body has the content coding "${coding.trim()}". Send it as it is, without Content-Encoding.`;
    expect(read({ ...sent, headers })).toEqual([415, detail]);
    const parsed = parse(aRequest({ ...sent, headers }));
    expect(parsed).toHaveProperty(['rejected', 'headers', 'Accept-Encoding'], 'identity');
  },
);

it.each(['', ' ', 'identity', 'Identity'])(
  'a body that cannot be read is not blamed on the content coding %j',
  (coding) => {
    for (const sent of [gzipped, { body: '{' }])
      expect(read({ ...sent, headers: { 'content-encoding': coding } })).toEqual([400, expect.any(String)]);
  },
);

it('a body that a gateway has decoded may still have the field that says it is compressed', () => {
  const headers = { 'content-encoding': 'gzip' };
  for (const sent of [{ body: '{"a":1}' }, base64('{"a":1}')]) expect(read({ ...sent, headers })).toEqual({ a: 1 });
  expect(read({ body: '[]', headers })).toEqual([400, expect.any(String)]);
  expect(read({ body: '', headers })).toEqual([400, 'The body is missing. Send a JSON object.']);
});

it('only the 415 of a patch names the media types of patches', () => {
  const parseItem = createBodyParser({ schema: parcel });
  for (const headers of [{ 'content-type': 'text/plain' }, { 'content-encoding': 'gzip' }]) {
    const request = aRequest({ headers, body: '{' });
    const name = ['rejected', 'headers', 'Accept-Patch'];
    expect(parse(request)).toHaveProperty(name, 'application/merge-patch+json, application/json, text/json');
    expect(parseItem(request)).not.toHaveProperty(name);
  }
});

it.each(['x', '€', '😀'])('a body may have 1 MiB of %j, to the byte, before its media type is checked', (unit) => {
  const text = unit.repeat(Math.floor(LARGEST_BODY / Buffer.byteLength(unit)));
  const largest = text + 'x'.repeat(LARGEST_BODY - Buffer.byteLength(text));
  const headers = { 'content-type': 'text/plain' };
  expect(Buffer.byteLength(largest)).toBe(1_048_576);
  for (const encoded of [(body: string) => ({ body }), base64]) {
    expect(read({ ...encoded(largest), headers })).toEqual([415, expect.any(String)]);
    const detail = 'The body is larger than 1 MiB. Send a smaller one.';
    expect(read({ ...encoded(`${largest} `), headers })).toEqual([413, detail]);
  }
});

it.each(['application/json', 'Text/JSON; charset=utf-8', 'image/x+json;v=1', ' x/y+JSON  ; a=b', ' '])(
  'the media type of a body may be %j',
  (type) => expect(read({ body: '{}', headers: { 'content-type': type } })).toEqual({}),
);

it.each([
  ...['text/plain', 'a/x+jsonx', 'an a/x+json', 'json', '/x+json', 'x/+json', 'x/y/z+json', 'text/json, text/json'],
])('the media type of a body may not be %j, and the answer says what it may be', (type) => {
  const detail = `The body is sent as "${type}". Send it as application/json, text/json, or a type that ends in +json.`;
  expect(read({ body: '{}', headers: { 'content-type': type } })).toEqual([415, detail]);
});
