import { describe, expect, it } from '@jest/globals';
import { type Gateway, gateways, type Sent } from '../support/gateways/gateways.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';

/** Other spellings of the path of the list. */
const UPPER = COLLECTION.toUpperCase();
const ESCAPED = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const ENCODED = COLLECTION.replaceAll('/', '%2F');

describe.each(['a REST API under its stage', 'an HTTP API'] as const)(
  'the open route of %s with signedCalls',
  (name) => {
    const { call } = startBehindOpenRoute(name);

    it.each([
      ...['/swagger', '/swagger/..', '/swagger/%2E%2E', '/swagger/', '/swagger/ui/../..'].map(
        (start) => start + COLLECTION,
      ),
      ...[`/swagger/..%2F..${ENCODED}`, `/swagger${ESCAPED}`, `/swagger${UPPER}`, `/swagger/${COLLECTION}/`],
      ...(name === 'an HTTP API' ? [`/swagger%2F..${ENCODED}`, `/swagger${ENCODED}`] : []),
    ])('does not lead to the items by %s', async (path) => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect([method, (await call(method, path)).status]).toEqual([method, 404]);
    });

    it('leads to the page and its documents', async () => {
      for (const path of ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'])
        expect(await call('GET', path)).toMatchObject({ status: 200 });
    });
  },
);

describe('without a signature, the service', () => {
  it.each([COLLECTION, UPPER, ESCAPED, `${COLLECTION}/`, '/swagger/ui'])(
    'answers a preflight request for %s without items, because browsers sign none',
    async (path) => {
      expect(await startDeployed().call('OPTIONS', path)).toMatchObject({ status: 204, text: '' });
    },
  );

  it('takes spellings that a signature for /api/{proxy+} alone would not protect', async () => {
    for (const path of [UPPER, ESCAPED]) expect(await startDeployed().call('GET', path)).toMatchObject({ status: 200 });
  });
});

/** Starts the service behind the route `/swagger/{proxy+}`. A call throws if API Gateway has another route for its path. */
function startBehindOpenRoute(name: string): Service {
  const gateway = gateways.find((candidate) => candidate.name === name) as Gateway;
  const event = (sent: Sent) => {
    const path = gateway.decodes ? decodeURIComponent(sent.path) : sent.path;
    const [, proxy] = /^\/swagger\/(.+?)\/?$/.exec(path) ?? [];
    if (!proxy) throw new Error(`${path} has another route`);
    const made = gateway.event(sent) as { requestContext: object };
    const resource = '/swagger/{proxy+}';
    const route = gateway.decodes
      ? { routeKey: `ANY ${resource}` }
      : { resource, requestContext: { ...made.requestContext, resourcePath: resource } };
    return { ...made, ...route, pathParameters: { proxy } };
  };
  return startDeployed({ ...gateway, event });
}
