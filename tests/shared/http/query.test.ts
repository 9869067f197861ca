import { describe, expect, it } from '@jest/globals';
import { createQueryParser } from '../../../shared/http/query.js';
import { aRequest } from '../../support/service/request.js';

const parse = createQueryParser({
  limit: { type: 'integer', minimum: 1, maximum: 1_000 },
  after: { type: 'string', format: 'uuid' },
});
const GUID = '019AA5F2-7c4e-7a31-9d05-3b1f6d2c8e47';

/** The values, or what is wrong with them. */
function values(query: string) {
  const outcome = parse(aRequest({ path: `/?${query}` }));
  return 'value' in outcome ? outcome.value : JSON.parse(outcome.rejected.body ?? '').errors;
}

describe('the query', () => {
  it.each([
    ['', {}],
    ['limit=1', { limit: 1 }],
    ['limit=1000', { limit: 1_000 }],
    ['limit=007', { limit: 7 }],
    [`after=${GUID}`, { after: GUID }],
    [`after=${GUID}&limit=2`, { limit: 2, after: GUID }],
    ['limit=x&limit=2', { limit: 2 }],
    ['Limit=x&other=y&__proto__=1', {}],
  ])('%j has the values %j: those that are declared, each the last of its name', (query, found) => {
    expect(values(query)).toEqual(found);
  });

  it.each(['', '0', '-1', '+1', '1.5', '1e2', 'x', ' 1', '1001', '9'.repeat(5_000), `${'0'.repeat(15)}5`, '٣', '0x1'])(
    'may not have the limit %.20j',
    (limit) => {
      const detail = expect.stringMatching(/^Must be an integer from 1 to 1000, not .{1,110}\.$/);
      expect(values(`limit=${encodeURIComponent(limit)}`)).toEqual([{ parameter: 'limit', detail }]);
    },
  );

  it.each(['', 'x', '1', `${GUID}0`, ` ${GUID}`, `{${GUID}}`, '\u0000', 'x'.repeat(5_000)])(
    'may not have the cursor %.20j',
    (after) => {
      const detail = expect.stringMatching(/^Must be a GUID such as "[\da-f-]{36}", not .{1,110}\.$/);
      expect(values(`after=${encodeURIComponent(after)}`)).toEqual([{ parameter: 'after', detail }]);
    },
  );

  it('is rejected with the name of each parameter that is wrong', () => {
    const errors = values('limit=0&after=1');
    expect(errors.map(({ parameter }: { parameter: string }) => parameter)).toEqual(['limit', 'after']);
  });
});
