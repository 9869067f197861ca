import { expect, it } from '@jest/globals';
import { type Gateway, gateways, type Sent } from '../support/gateways/gateways.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import { differences, expectJust, FRONT_DOOR, planOf } from './plans.js';
import { STAGES } from './stages.js';

const ENCODED = COLLECTION.replaceAll('/', '%2F');
const ESCAPED = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const starts = ['', '/..', '/%2E%2E', '/', '/ui/../..'].map((start) => start + COLLECTION);
const spelled = [...starts, `/..%2F..${ENCODED}`, ESCAPED, COLLECTION.toUpperCase(), `/${COLLECTION}/`];

it.each([
  ['a REST API under its stage', spelled],
  ['an HTTP API', [...spelled, `%2F..${ENCODED}`, ENCODED]],
])(
  'with signedCalls, the open route of %s leads to the page and the documents, but by no path to the items',
  async (name, paths) => {
    const { call } = startBehindOpenRoute(name);
    for (const path of ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'])
      expect(await call('GET', path)).toMatchObject({ status: 200 });
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'])
        expect([method, path, (await call(method, `/swagger${path}`)).status]).toEqual([method, path, 404]);
    }
  },
);

it.each([
  ['items in memory', { table: 'none', tokenIssuer: 'none', tokenAudience: '' }],
  ['a table', { tokenIssuer: 'none', tokenAudience: '' }],
  ['sign-in', {}],
])('behind each front door, all else is the same: with %s', async (_what, others) => {
  const stage = { ...STAGES['url-sign-in'], logLevel: 'info', reservedConcurrency: '1', ...others };
  const plans = ['rest', 'http', 'url'].map((frontDoor) => planOf({ ...stage, frontDoor }));
  const [rest, http, url] = await Promise.all(plans);
  expectJust(FRONT_DOOR, [
    ['an HTTP API', differences(rest, http)],
    ['a function URL', differences(rest, url)],
  ]);
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
