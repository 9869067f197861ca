import { describe, expect, it } from '@jest/globals';
import { challenge, readBearerToken } from '../../../shared/http/bearer-token.js';
import { aRequest } from '../../support/service/request.js';

const read = (authorization?: string) =>
  readBearerToken(aRequest({ headers: authorization === undefined ? {} : { authorization } }));

describe('a bearer token', () => {
  it.each(['Bearer abc.DEF-_.~+/09==', 'bearer abc', 'BEARER   abc', `Bearer ${'a'.repeat(8_192)}`])(
    'is read from %.30s',
    (authorization) => {
      expect(read(authorization)).toEqual({ value: authorization.replace(/^bearer +/i, '') });
    },
  );

  it.each([undefined, '', 'abc', 'Basic YTpi', 'Bearers abc', 'DPoP abc', 'Bearer\u00a0abc', 'Basic YTpi, Bearer abc'])(
    'is asked for, without an error, if Authorization is %j',
    (authorization) => {
      expect(read(authorization)).toMatchObject({
        rejected: { status: 401, headers: { 'WWW-Authenticate': 'Bearer realm="items"' } },
      });
    },
  );

  const single = ['Bearer', 'Bearer ', 'Bearer,', 'Bearer a=b', 'Bearer "abc"', 'Bearer abc ', 'Bearer é'];

  it.each([...single, 'Bearer abc, Bearer abc', 'Bearer abc,Bearer abc', 'Bearer abc def'])(
    'is malformed in %j',
    (authorization) => {
      const headers = { 'WWW-Authenticate': expect.stringContaining('error="invalid_token"') };
      expect(read(authorization)).toMatchObject({ rejected: { status: 401, headers } });
    },
  );

  it('is not looked at if it is longer than 8,192 characters', () => {
    const answer = read(`Bearer ${'a'.repeat(8_193)}`);
    expect(answer).toMatchObject({ rejected: { status: 401, body: expect.stringContaining('longer than 8192') } });
    expect(JSON.stringify(answer)).not.toContain('aaa');
  });
});

describe('a challenge', () => {
  it('says what is wrong with the token in its header field and in its detail', () => {
    const { headers, body } = challenge(aRequest(), 'The token has expired.');
    expect(headers['WWW-Authenticate']).toBe(
      'Bearer realm="items", error="invalid_token", error_description="The token has expired."',
    );
    expect(JSON.parse(body as string).detail).toMatch(/^The token has expired. Send a new one/);
  });
});
