import { beforeAll, describe, expect, it } from '@jest/globals';
import { type FrontDoor, frontDoor, HTTP_API, REST_API, routesOf } from '../support/deployment/front-door.js';
import { packageAll } from '../support/deployment/packaging.js';
import type { Template } from '../support/deployment/template.js';
import { COLLECTION, FIRST } from '../support/service/resource.js';

let packaged: Record<'rest' | 'http' | 'url' | 'signed rest' | 'signed http', Template>;

beforeAll(async () => {
  packaged = await packageAll({
    rest: {},
    http: { frontDoor: 'http' },
    url: { frontDoor: 'url' },
    'signed rest': { signedCalls: true },
    'signed http': { frontDoor: 'http', signedCalls: true },
  });
});

describe('the front door', () => {
  it.each([
    ['rest', ['ANY / open', 'ANY /{proxy+} open']],
    ['http', ['ANY $default open']],
    ['url', []],
    ['signed rest', ['ANY / open', 'ANY /swagger/{proxy+} open', 'ANY /{proxy+} signed', 'OPTIONS /{proxy+} open']],
    ['signed http', ['ANY $default signed', 'ANY / open', 'ANY /swagger/{proxy+} open', 'OPTIONS /{proxy+} open']],
  ] as const)('has just these routes: %s', (name, expected) => {
    const routes = routesOf(packaged[name]);
    const lines = routes.map(({ method, path, open }) => `${method} ${path} ${open ? 'open' : 'signed'}`);
    expect(lines.sort()).toEqual(expected);
  });
});

/** Spellings of the path of the list, and paths by which somebody might try to get around the signature. */
const escaped = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const SPELLINGS = [COLLECTION, COLLECTION.toUpperCase(), escaped, `${COLLECTION}/`];
const DETOURS = [
  ...['/swagger', '/swagger/..', '/swagger/%2E%2E', '/swagger/', '/'].map((start) => start + COLLECTION),
  ...['/swagger%2F..%2F', '/SWAGGER/../', '/swagger/ui/../../'].map((start) => start + COLLECTION.slice(1)),
  `/swagger/..%2F..${COLLECTION.replaceAll('/', '%2F')}`,
];
const OPEN = ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe.each([
  ['a REST API', REST_API, 'signed rest'],
  ['an HTTP API', HTTP_API, 'signed http'],
] as const)('%s with signedCalls', (_name, gateway, name) => {
  let call: FrontDoor;

  beforeAll(() => {
    call = frontDoor(gateway, routesOf(packaged[name]));
  });

  it.each(SPELLINGS)('needs a signature for every method on %s', async (path) => {
    for (const method of METHODS) expect(await call(method, path)).toBe('signature asked for');
    for (const method of METHODS) expect(await call(method, `${path}/1`)).toBe('signature asked for');
  });

  it.each(DETOURS)('does not lead to the items without a signature by %s', async (path) => {
    for (const method of METHODS) {
      const answer = await call(method, path);
      if (answer !== 'signature asked for') expect([method, answer.status]).toEqual([method, 404]);
    }
  });

  it('needs none for the page and its documents', async () => {
    expect(await call('GET', '/')).toMatchObject({ status: 302 });
    for (const path of OPEN) expect(await call('GET', path)).toMatchObject({ status: 200 });
  });

  it.each([...SPELLINGS, '/swagger/ui'])('answers a preflight request for %s, which is never signed', async (path) => {
    expect(await call('OPTIONS', path)).toMatchObject({ status: 204 });
  });
});

it('a signature for /api/{proxy+} alone would not do, because the function takes other spellings', async () => {
  const bypassed = frontDoor(REST_API, [
    { method: 'ANY', path: '/api/{proxy+}', open: false },
    { method: 'ANY', path: '/{proxy+}', open: true },
  ]);
  expect(await bypassed('GET', COLLECTION)).toBe('signature asked for');
  for (const path of [COLLECTION.toUpperCase(), escaped])
    expect(await bypassed('GET', path)).toMatchObject({ status: 200, json: [FIRST] });
});
