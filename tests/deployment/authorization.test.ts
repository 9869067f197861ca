import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Deployment, deploymentFaults, resourcesOf } from '../support/deployment/deployment.js';
import { type FrontDoor, httpFrontDoor, restFrontDoor } from '../support/deployment/front-door.js';
import { packageRecipe, recipesIn } from '../support/deployment/recipe.js';
import { COLLECTION, FIRST } from '../support/service/resource.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const GUIDE = 'docs/authorization.md';
const folder = temporaryFolder();

/** Spellings of the path of the list, and paths that somebody might hope lead to it. */
const escaped = (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const SPELLINGS = [COLLECTION, COLLECTION.toUpperCase(), escaped(COLLECTION), `${COLLECTION}/`];
const DETOURS = [
  ...['/swagger', '/swagger/..', '/swagger/%2E%2E', '/swagger/', '/'].map((start) => start + COLLECTION),
  ...['/swagger%2F..%2F', '/SWAGGER/../', '/swagger/ui/../../'].map((start) => start + COLLECTION.slice(1)),
  `/swagger/..%2F..${COLLECTION.replaceAll('/', '%2F')}`,
];
const OPEN = ['/', '/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What is true of any authorizer, whatever the gateway. */
function closesAllButThePage(door: () => FrontDoor): void {
  it.each(SPELLINGS)('asks for credentials before any method on %s', async (path) => {
    for (const method of METHODS) expect(await door().call(method, path)).toBe('credentials asked for');
    for (const method of METHODS) expect(await door().call(method, `${path}/1`)).toBe('credentials asked for');
  });

  it.each(DETOURS)('lets nobody reach the items without credentials by %s', async (path) => {
    for (const method of METHODS) {
      const answer = await door().call(method, path);
      if (answer !== 'credentials asked for') expect([method, answer.status]).toEqual([method, 404]);
    }
  });

  it.each(OPEN)('leaves %s open', async (path) => {
    expect(await door().call('GET', path)).toMatchObject({ status: path === '/' ? 302 : 200 });
  });

  it.each([...SPELLINGS, '/swagger/ui'])(
    'answers a preflight request for %s, which browsers send bare',
    async (path) => {
      expect(await door().call('OPTIONS', path)).toMatchObject({ status: 204 });
    },
  );
}

describe('a REST API whose calls must be signed (aws_iam)', () => {
  let deployment: Deployment;
  let door: FrontDoor;

  beforeAll(() => {
    const [recipe] = recipesIn(GUIDE, 'Signed calls, on the REST API');
    deployment = packageRecipe(join(folder, 'rest'), recipe as string);
    door = restFrontDoor(deployment.template);
  });

  it('can be packaged as the guide says', () => {
    expect(deploymentFaults(deployment)).toEqual([]);
    const types = resourcesOf(deployment.template, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties);
    expect(types.map(({ AuthorizationType }) => AuthorizationType).sort()).toEqual(['AWS_IAM', 'NONE', 'NONE', 'NONE']);
  });

  closesAllButThePage(() => door);

  it('answers a call without a signature 403, and not 404', () => {
    const { Properties } = deployment.template.Resources.UnroutedResponse ?? {};
    expect(Properties).toMatchObject({ ResponseType: 'MISSING_AUTHENTICATION_TOKEN', StatusCode: '403' });
    const problem = JSON.parse(Properties.ResponseTemplates['application/json']);
    expect(problem).toMatchObject({
      status: 403,
      title: 'Forbidden',
      detail: expect.stringMatching(/^The call is not/),
    });
  });

  it('does so however the authorizer is spelled', () => {
    const recipe = `functions:
      api: { events: [{ http: { path: "/{proxy+}", method: any, authorizer: { type: AWS_IAM } } }] }`;
    const { template } = packageRecipe(join(folder, 'spelled'), recipe);
    expect(template.Resources.UnroutedResponse?.Properties.StatusCode).toBe('403');
  });

  it('would be open if /api/{proxy+} alone were guarded, because the function takes other spellings', async () => {
    const recipe = `functions:
      api:
        events:
          - http: { path: "/api/{proxy+}", method: any, authorizer: aws_iam }
          - http: { path: "/{proxy+}", method: any }`;
    const { template } = packageRecipe(join(folder, 'bypassed'), recipe);
    const bypassed = restFrontDoor(template);
    expect(await bypassed.call('GET', COLLECTION)).toBe('credentials asked for');
    for (const path of [COLLECTION.toUpperCase(), escaped(COLLECTION)]) {
      expect(await bypassed.call('GET', path)).toMatchObject({ status: 200, json: [FIRST] });
    }
  });
});

describe('an HTTP API whose calls need a JSON Web Token', () => {
  let deployment: Deployment;
  let door: FrontDoor;

  beforeAll(() => {
    const [recipe] = recipesIn(GUIDE, 'Tokens, on an HTTP API');
    deployment = packageRecipe(join(folder, 'http'), recipe as string, 'rest.cjs');
    door = httpFrontDoor(deployment.template);
  });

  it('can be packaged as the guide says', () => {
    expect(deploymentFaults(deployment)).toEqual([]);
    const [authorizer] = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Authorizer');
    expect(authorizer?.Properties).toMatchObject({
      AuthorizerType: 'JWT',
      IdentitySource: ['$request.header.Authorization'],
      JwtConfiguration: { Audience: ['todo'], Issuer: 'https://login.example.com/' },
    });
    const routes = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties);
    expect(Object.fromEntries(routes.map(({ RouteKey, AuthorizationType }) => [RouteKey, AuthorizationType]))).toEqual({
      'ANY /': undefined,
      'ANY /swagger/{proxy+}': undefined,
      'OPTIONS /{proxy+}': undefined,
      $default: 'JWT',
    });
  });

  closesAllButThePage(() => door);
});
