import { describe, expect, it } from '@jest/globals';
import { kinds } from '../../support/kinds.js';
import { loadHandler } from '../../support/service.js';

describe.each(kinds)('a result for $name', (kind) => {
  const handle = loadHandler();

  it.each([
    ['GET', '/api/todo', 200],
    ['HEAD', '/api/todo', 200],
    ['OPTIONS', '/api/todo', 204],
    ['POST', '/api/todo', 400],
    ['DELETE', '/nowhere', 404],
  ])(
    'to %s %s has the members that every gateway takes, of their types, and no others',
    async (method, path, status) => {
      const result = await handle(kind.event({ method, path, query: '', headers: {}, body: undefined }));
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
