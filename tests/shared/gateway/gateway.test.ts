import { describe, expect, it } from '@jest/globals';
import { gateways } from '../../support/gateways/gateways.js';
import { COLLECTION } from '../../support/service/resource.js';
import { loadHandler } from '../../support/service/service.js';

describe.each(gateways)('a result for $name', (gateway) => {
  const handle = loadHandler();

  it.each([
    ['GET', COLLECTION, 200],
    ['HEAD', COLLECTION, 200],
    ['OPTIONS', COLLECTION, 204],
    ['POST', COLLECTION, 400],
    ['DELETE', '/nowhere', 404],
  ])(
    'to %s %s has the members that every gateway takes, of their types, and no others',
    async (method, path, status) => {
      const result = await handle(gateway.event({ method, path, query: '', headers: {}, body: undefined }));
      expect(result).toStrictEqual({
        statusCode: status,
        headers: expect.any(Object),
        body: expect.any(String),
        isBase64Encoded: false,
      });
      const { headers } = result as { headers: object };
      expect(Object.values(headers).filter((value) => typeof value !== 'string')).toEqual([]);
    },
  );
});

describe('an event of version 2.0', () => {
  it.each([
    ['abc.lambda-url.eu-central-1.on.aws', 200],
    ['abc.execute-api.eu-central-1.amazonaws.com', 404],
    [undefined, 404],
    [5, 404],
  ])('of the domain %s has its path decoded where its gateway has not done so', async (domainName, statusCode) => {
    const requestContext = { http: { method: 'GET' }, domainName };
    expect(
      await loadHandler()({
        rawPath: COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
        requestContext,
      }),
    ).toMatchObject({ statusCode });
  });
});
