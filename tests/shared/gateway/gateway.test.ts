import { expect, it } from '@jest/globals';
import { readEvent, writeResult } from '../../../shared/gateway/gateway.js';

it.each([
  [{}, { body: '', isBase64Encoded: false }],
  [{ body: 'text' }, { body: 'text', isBase64Encoded: false }],
  [{ body: 'dGV4dA==', isBase64Encoded: true } as const, { body: 'dGV4dA==', isBase64Encoded: true }],
])(
  'a response with %j becomes a result with the members that every gateway takes, and no others',
  (content, members) => {
    const headers = { 'Cache-Control': 'no-store' };
    expect(writeResult({ status: 204, headers, ...content })).toStrictEqual({ statusCode: 204, headers, ...members });
  },
);

it.each([
  ['abc.lambda-url.eu-central-1.on.aws', '/%61pi'],
  ['abc.execute-api.eu-central-1.amazonaws.com', '/%2561pi'],
  [undefined, '/%2561pi'],
  [5, '/%2561pi'],
])(
  'an event of version 2.0 of the domain %s has the path %s: only a function URL leaves it encoded',
  (domainName, path) => {
    const requestContext = { http: { method: 'GET' }, domainName };
    expect(readEvent({ rawPath: '/%61pi', requestContext })).toMatchObject({ path });
  },
);
