import { describe, expect, it } from '@jest/globals';
import { parsePrecondition, parseTags } from '../../../shared/http/precondition.js';
import { aRequest } from '../../support/service/request.js';

describe('a list of entity tags', () => {
  it.each([
    ['*', '*'],
    [' * ', '*'],
    ['"1"', ['"1"']],
    ['"1" , \tW/"2","x"', ['"1"', 'W/"2"', '"x"']],
    [',, "1",,"2" ,', ['"1"', '"2"']],
    ['""', ['""']],
    ['"a,b"', ['"a,b"']],
    ['"é\u0080"', ['"é\u0080"']],
    ['', []],
  ])('is parsed from %j', (list, tags) => {
    expect(parseTags(list)).toEqual(tags);
  });

  it.each(['1', '"1', 'w/"1"', 'W/ "1"', '"1" "2"', '"1"x', '*, "1"', '"1", *', '"a b"', '"a\u007fb"', '"1";'])(
    'is not %j',
    (list) => {
      expect(parseTags(list)).toBeUndefined();
    },
  );

  it('is parsed in time in proportion to its length', () => {
    expect(parseTags('"1",'.repeat(100_000))).toHaveLength(100_000);
    expect(parseTags(' '.repeat(200_000))).toEqual([]);
    expect(parseTags(`${' ,'.repeat(100_000)}x`)).toBeUndefined();
    expect(parseTags(`"${'1'.repeat(200_000)}`)).toBeUndefined();
  });
});

/** Which header field fails at version 2, undefined if none does; or the detail of the problem that rejects them. */
function failing(headers: Record<string, string>) {
  const parsed = parsePrecondition(aRequest({ headers }));
  if ('rejected' in parsed) return JSON.parse(parsed.rejected.body ?? '').detail;
  return parsed.value?.(2);
}

describe('a precondition', () => {
  it('is undefined if there are no conditional header fields', () => {
    expect(parsePrecondition(aRequest())).toEqual({ value: undefined });
  });

  it.each([
    [{ 'if-match': '*' }, undefined],
    [{ 'if-match': '' }, 'If-Match failed'],
    [{ 'if-none-match': '"W/2"' }, undefined],
    [{ 'if-none-match': '*' }, 'If-None-Match failed'],
    [{ 'if-match': '"2"', 'if-none-match': '"1"' }, undefined],
    [{ 'if-match': '"1"', 'if-none-match': '"2"' }, 'If-Match failed'],
    [{ 'if-match': '*', 'if-none-match': '"2"' }, 'If-None-Match failed'],
  ])(
    'of %j has the outcome %j, by the first field that fails in the order of RFC 9110, section 13.2.2',
    (headers, field) => {
      expect(failing(headers)).toBe(field);
    },
  );

  it.each([
    [{ 'if-match': '2' }, 'If-Match', '"2"'],
    [{ 'if-none-match': 'abc.1-2' }, 'If-None-Match', '"abc.1-2"'],
    [{ 'if-match': '{etag}' }, 'If-Match', '"1"'],
    [{ 'if-match': '1'.repeat(41) }, 'If-Match', '"1"'],
    [{ 'if-match': '"1"', 'if-none-match': '2' }, 'If-None-Match', '"2"'],
  ])('of %j is rejected, and the answer shows how to write it', (headers, field, tag) => {
    const advice = 'Separate several tags with commas, or send * to match any version.';
    const rule = `entity tags must be in quotes, as in ${tag}.`;
    expect(failing(headers)).toBe(`${field} is malformed: ${rule} ${advice}`);
  });
});
