import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { expect, it } from '@jest/globals';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { makeAssets } from '../../docs/generator/assets.js';
import type { OpenApi } from '../../docs/generator/openapi.js';
import type { ResponseObject } from '../../docs/generator/response-objects.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { makeDocuments } from '../../docs/service-assets.js';
import { openApiWithTokens as parcels } from '../support/service/service.js';

const { swagger, openapi } = makeDocuments(false);
const withSignIn = makeDocuments(true);
const OPERATION_MEMBERS = 'tags summary operationId consumes produces parameters responses deprecated'.split(' ');

it.each(Object.entries({ swagger, openapi }))('docs/%s.json is what npm run docs generates', (name, document) => {
  if (readFileSync(`docs/${name}.json`, 'utf8') !== `${JSON.stringify(document, null, 2)}\n`)
    throw new Error(`docs/${name}.json is stale: run "npm run docs" and commit what it writes`);
});

// Parcels have each kind of member that can be described.
it.each<[name: string, document: object]>([
  ['2.0 document', swagger],
  ['3.1 document', openapi],
  ['2.0 document of parcels, with sign-in,', toSwagger2(parcels)],
  ['3.1 document of parcels, with sign-in,', parcels],
])('the %s passes the official validator, and its schemas are valid', async (_name, document) => {
  const { components } = document as Partial<OpenApi>;
  await SwaggerParser.validate(JSON.parse(JSON.stringify(document)));
  // The validator does not check whether schemas are valid.
  const ajv = addFormats.default(new Ajv2020({ strict: false }));
  for (const [name, schema] of Object.entries(components?.schemas ?? {}))
    expect([name, ajv.validateSchema(schema), ajv.errors]).toEqual([name, true, null]);
});

it('the 2.0 document has the members that the specification lists, in its order', () => {
  expect(swagger).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
  const members = ['swagger', 'info', 'basePath', 'paths', 'definitions', 'securityDefinitions'];
  expect(Object.keys(swagger)).toEqual(members);
  for (const [, operation] of operationsOf(swagger)) expect(Object.keys(operation)).toEqual(OPERATION_MEMBERS);
});

const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openapi, 'document');

const errorsOf = (schema: object, example: unknown) => {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  return validate(example) ? [] : validate.errors;
};

it.each(operationsOf(openapi))('%s has valid examples, but none of optional parameters', (_id, operation) => {
  const { parameters = [], requestBody, responses } = operation;
  for (const { required, schema } of parameters)
    expect(required ? errorsOf(schema, schema.examples?.[0]) : (schema.examples ?? [])).toEqual([]);
  for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)] as Partial<ResponseObject>[])
    for (const [type, { schema, example }] of Object.entries(content))
      expect(type === 'application/json' ? errorsOf(schema, example) : (example ?? [])).toEqual([]);
});

// The tests of the service compare its 401 and 403 with the document.
it('a document with sign-in declares the token, and otherwise differs only in the operations that take one', () => {
  expect(withSignIn.openapi.components.securitySchemes?.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  const token = { type: 'apiKey', name: 'Authorization', in: 'header' };
  expect(withSignIn.swagger).toMatchObject({ securityDefinitions: { token } });
  const described = Object.fromEntries(operationsOf(withSignIn.swagger));
  for (const [id, { responses, ...operation }] of operationsOf(swagger)) {
    expect(described[id]).toEqual({ ...operation, responses: expect.anything(), security: [{ token: [] }] });
    expect(Object.keys(described[id].responses)).toEqual(Object.keys({ ...responses, 401: {}, 403: {} }));
    expect(described[id].responses[503].description).toContain('keys that tokens are verified with');
  }
});

/** Lists the operations of a document by their ids. */
// biome-ignore lint/suspicious/noExplicitAny: both formats have operations of their own types.
function operationsOf(document: object): [id: string, operation: any][] {
  const { paths } = document as Pick<OpenApi, 'paths'>;
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  return operations.map((operation) => [operation.operationId, operation]);
}

it('the page has a policy for its own style and script, and the header fields that scanners look for', () => {
  const page = '<style>a {\n}</style><script type="x">g()</script><script>f()</script>';
  // Computed by `printf 'f()' | openssl dgst -sha256 -binary | base64`.
  const [script, style] = [
    'GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo=',
    'ubcGche1wv1jK4lUPwia8lRUezJl83mw9E3JCq+aFZk=',
  ];
  expect(makeAssets({}, {}, page)['page.gzip'].headers).toMatchObject({
    'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${script}'; style-src 'sha256-${style}'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Frame-Options': 'DENY',
  });
});
