import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { packageRecipe } from '../support/deployment/deployment.js';
import { type FrontDoor, frontDoor, HTTP_API, REST_API, routesOf } from '../support/deployment/front-door.js';
import { type Template, templateFaults } from '../support/deployment/template.js';
import { COLLECTION, FIRST } from '../support/service/resource.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const AUTHORIZATION = 'docs/authorization.md';
const folder = temporaryFolder();

/** The properties of the resources of a type. */
function propertiesOf({ Resources }: Template, type: string) {
  const resources = Object.values(Resources).filter((resource) => resource.Type === type);
  return resources.map(({ Properties }) => Properties);
}

describe('packaged as the deploy guide says, the service', () => {
  const GUIDE = 'docs/deploy.md';
  const [, restApi] = /delete the line `- (.*?)`/.exec(readFileSync(GUIDE, 'utf8')) ?? [];

  it('is behind an HTTP API', async () => {
    const mail = '--param=alarmEmail=operator@example.com';
    const template = await packageRecipe(join(folder, 'http-api'), GUIDE, 0, restApi, [mail]);
    expect(templateFaults(template)).toEqual([]);
    expect(JSON.stringify(template)).not.toContain('AWS::ApiGateway::');
    expect(propertiesOf(template, 'AWS::CloudWatch::Alarm')).toHaveLength(4);
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::Integration')).toMatchObject([{ PayloadFormatVersion: '2.0' }]);
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::Route')).toMatchObject([{ RouteKey: '$default' }]);
    expect(template.Outputs).toHaveProperty('HttpApiUrl');
  });

  it('is behind a function URL', async () => {
    const template = await packageRecipe(join(folder, 'url'), GUIDE, 1, restApi);
    expect(templateFaults(template)).toEqual([]);
    expect(JSON.stringify(template)).not.toContain('AWS::ApiGateway');
    expect(propertiesOf(template, 'AWS::Lambda::Url')).toMatchObject([{ AuthType: 'NONE' }]);
    const actions = propertiesOf(template, 'AWS::Lambda::Permission').map(({ Action }) => Action);
    expect(actions.sort()).toEqual(['lambda:InvokeFunction', 'lambda:InvokeFunctionUrl']);
    expect(template.Outputs).toHaveProperty('ApiLambdaFunctionUrl');
  });
});

/** Spellings of the path of the list, and paths by which somebody might try to get around the authorizer. */
const escaped = COLLECTION.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
const SPELLINGS = [COLLECTION, COLLECTION.toUpperCase(), escaped, `${COLLECTION}/`];
const DETOURS = [
  ...['/swagger', '/swagger/..', '/swagger/%2E%2E', '/swagger/', '/'].map((start) => start + COLLECTION),
  ...['/swagger%2F..%2F', '/SWAGGER/../', '/swagger/ui/../../'].map((start) => start + COLLECTION.slice(1)),
  `/swagger/..%2F..${COLLECTION.replaceAll('/', '%2F')}`,
];
const OPEN = ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

describe('the authorization guide', () => {
  const templates: Template[] = [];
  const doors: FrontDoor[] = [];

  beforeAll(async () => {
    templates.push(await packageRecipe(join(folder, 'rest'), AUTHORIZATION, 0));
    templates.push(await packageRecipe(join(folder, 'http'), AUTHORIZATION, 1, 'rest.cjs'));
    doors.push(frontDoor(REST_API, routesOf(templates[0] as Template)));
    doors.push(frontDoor(HTTP_API, routesOf(templates[1] as Template)));
  });

  describe.each([
    ['a REST API whose calls must be signed (aws_iam)', 0],
    ['an HTTP API whose calls need a JSON Web Token', 1],
  ])('%s', (_name, recipe) => {
    const call: FrontDoor = (method, path) => (doors[recipe] as FrontDoor)(method, path);

    it.each(SPELLINGS)('needs credentials for every method on %s', async (path) => {
      for (const method of METHODS) expect(await call(method, path)).toBe('credentials asked for');
      for (const method of METHODS) expect(await call(method, `${path}/1`)).toBe('credentials asked for');
    });

    it.each(DETOURS)('does not lead to the items without credentials by %s', async (path) => {
      for (const method of METHODS) {
        const answer = await call(method, path);
        if (answer !== 'credentials asked for') expect([method, answer.status]).toEqual([method, 404]);
      }
    });

    it('needs none for the page and its documents', async () => {
      expect(await call('GET', '/')).toMatchObject({ status: 302 });
      for (const path of OPEN) expect(await call('GET', path)).toMatchObject({ status: 200 });
    });

    it.each([...SPELLINGS, '/swagger/ui'])(
      'answers a preflight request for %s, which browsers send without credentials',
      async (path) => {
        expect(await call('OPTIONS', path)).toMatchObject({ status: 204 });
      },
    );
  });

  it('answers a call without a signature 403, and not 404, at a REST API', () => {
    const [template] = templates as [Template];
    expect(templateFaults(template)).toEqual([]);
    const types = propertiesOf(template, 'AWS::ApiGateway::Method').map(({ AuthorizationType }) => AuthorizationType);
    expect(types.sort()).toEqual(['AWS_IAM', 'NONE', 'NONE', 'NONE']);
    expect(template.Resources).toHaveProperty('UnroutedResponse.Properties.StatusCode', '403');
  });

  it('lets an HTTP API take tokens of one issuer for one audience', () => {
    const [, template] = templates as [Template, Template];
    expect(templateFaults(template)).toEqual([]);
    expect(propertiesOf(template, 'AWS::ApiGatewayV2::Authorizer')).toMatchObject([
      {
        AuthorizerType: 'JWT',
        IdentitySource: ['$request.header.Authorization'],
        JwtConfiguration: { Audience: ['todo'], Issuer: 'https://login.example.com/' },
      },
    ]);
    const routes = propertiesOf(template, 'AWS::ApiGatewayV2::Route');
    expect(Object.fromEntries(routes.map(({ RouteKey, AuthorizationType }) => [RouteKey, AuthorizationType]))).toEqual({
      'ANY /': undefined,
      'ANY /swagger/{proxy+}': undefined,
      'OPTIONS /{proxy+}': undefined,
      $default: 'JWT',
    });
  });

  it('authorizes all paths, because the function also takes spellings that /api/{proxy+} does not match', async () => {
    const bypassed = frontDoor(REST_API, [
      { method: 'ANY', path: '/api/{proxy+}', open: false },
      { method: 'ANY', path: '/{proxy+}', open: true },
    ]);
    expect(await bypassed('GET', COLLECTION)).toBe('credentials asked for');
    for (const path of [COLLECTION.toUpperCase(), escaped])
      expect(await bypassed('GET', path)).toMatchObject({ status: 200, json: [FIRST] });
  });
});
