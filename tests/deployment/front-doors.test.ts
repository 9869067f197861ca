import { describe, expect, it } from '@jest/globals';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import { routesOf, startBehindOpenRoute } from './front-door.js';
import { packageStages, type Stage } from './stages.js';

/** Other spellings of the path of the list. */
const UPPER = COLLECTION.toUpperCase();
const ESCAPED = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const ENCODED = COLLECTION.replaceAll('/', '%2F');

const ROUTES: Readonly<Partial<Record<Stage, string[]>>> = {
  'items in a table': ['ANY / open', 'ANY /{proxy+} open'],
  'an HTTP API': ['$default open'],
  'a function URL': [],
  'signed calls': ['ANY / open', 'ANY /swagger/{proxy+} open', 'ANY /{proxy+} AWS_IAM', 'OPTIONS /{proxy+} open'],
  'signed calls of an HTTP API': [
    ...['$default AWS_IAM', 'ANY / open', 'ANY /swagger/{proxy+} open', 'OPTIONS /{proxy+} open'],
  ],
};
const packaged = packageStages(...(Object.keys(ROUTES) as Stage[]));

describe('the front door', () => {
  // API Gateway takes the most specific route, and compares letter by letter: what is spelled in another way needs a signature.
  it.each(Object.keys(ROUTES) as Stage[])('has just these routes: %s', (stage) => {
    expect(routesOf(packaged[stage])).toEqual(ROUTES[stage]);
  });
});

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
