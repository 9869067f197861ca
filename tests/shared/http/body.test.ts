import { describe, expect, it } from '@jest/globals';
import { createBodyParser, LARGEST_BODY } from '../../../shared/http/body.js';
import type { ObjectSchema } from '../../../shared/schema/schema.js';
import { aRequest, type Described } from '../../support/service/request.js';

const schema: ObjectSchema = {
  title: 'Thing',
  properties: {
    key: { type: 'string', format: 'uuid', readOnly: true },
    a: { type: 'integer', default: 7 },
  },
};

const parse = createBodyParser({ schema });

/** The object that was sent, or the status and detail that it is rejected with. */
function read(described: Described, parser = parse) {
  const parsed = parser(aRequest(described));
  if ('value' in parsed) return parsed.value.object;
  const { status, body = '' } = parsed.rejected;
  return [status, JSON.parse(body).detail];
}

const base64 = (text: string) => ({ body: Buffer.from(text).toString('base64'), isBase64Encoded: true });

describe('a body', () => {
  it.each([
    { body: ' \r\n\t{"a":1}\n' },
    { body: '\ufeff{"a":1}' },
    { body: '{"a":2,"a":1}' },
    base64('{"a":1}'),
    base64('\ufeff{"a":1}'),
    { body: Buffer.from('{"a":1} ').toString('base64url'), isBase64Encoded: true },
  ])('is the object in %j', (described) => {
    expect(read(described)).toEqual({ a: 1 });
  });

  it.each([{}, ...['', ' \n', '\ufeff'].flatMap((body) => [{ body }, base64(body)])])(
    'is missing in %j, whatever its media type',
    (described) => {
      const detail = 'The body is missing. Send a JSON object.';
      expect(read({ headers: { 'content-type': 'text/plain' }, ...described })).toEqual([400, detail]);
    },
  );

  it.each([
    ['null', /^The body is null\. Send a JSON object\.$/],
    ['[]', /^The body is an array\. Send a JSON object\.$/],
    ['5', /^The body is a number\. Send a JSON object\.$/],
    ['{', /^The body is not valid JSON: .*\. Send a JSON object\.$/],
    ['\ufeff\ufeff{}', /^The body is not valid JSON: .*\. Send a JSON object\.$/],
  ])('that is %j is no JSON object, and the answer says what it is', (body, detail) => {
    expect(read({ body })).toEqual([400, expect.stringMatching(detail)]);
  });

  it.each(['!', 'e3 0=', 'e30===', 'e30=e', 'A', '/w==', 'wyg='])('that is %j in base64 is not UTF-8', (body) => {
    const detail = 'The body is not UTF-8 text. Send a JSON object.';
    expect(read({ body, isBase64Encoded: true })).toEqual([400, detail]);
  });

  it.each(['x', '€', '😀'])('may have 1 MiB of %j, to the byte, before its media type is checked', (unit) => {
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
});

it('a merge patch is not a JSON Patch, and the answer says so', () => {
  const detail = 'The body is an array; PATCH takes a JSON Merge Patch, not a JSON Patch. Send a JSON object.';
  const parsePatch = createBodyParser({ schema, patch: true });
  expect(read({ body: [{ op: 'replace', path: '/a', value: 1 }] }, parsePatch)).toEqual([400, detail]);
  expect(read({ body: '5' }, parsePatch)).toEqual([400, 'The body is a number. Send a JSON object.']);
});

describe('the media type of a body', () => {
  it.each(['application/json', 'Text/JSON; charset=utf-8', 'image/x+json;v=1', ' x/y+JSON  ; a=b', ' ', undefined])(
    'may be %j',
    (type) => {
      expect(read({ body: '{}', ...(type !== undefined && { headers: { 'content-type': type } }) })).toEqual({});
    },
  );

  const others = ['text/plain', 'a/x+jsonx', 'an a/x+json', 'json', '/x+json', 'x/+json', 'x/y/z+json'];

  it.each([...others, 'text/json, text/json'])('may not be %j, and the answer says what it may be', (type) => {
    const detail = `The body is sent as "${type}". Send it as application/json, text/json, or a type that ends in +json.`;
    expect(read({ body: '{}', headers: { 'content-type': type } })).toEqual([415, detail]);
  });
});
