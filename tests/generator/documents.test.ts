import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from '../../docs/generate.js';
import { makeAssets } from '../../docs/generator/assets.js';
import { toSwagger2 } from '../../docs/generator/swagger2.js';
import { withTokens } from '../../docs/generator/with-tokens.js';
import { makePage } from '../../docs/page/markup/page.js';
import { resources } from '../../functions/routes.js';
import { PROBLEMS } from '../../shared/http/problems.js';
import { asJsonSchema } from '../support/service/matches-document.js';
import { openApi as ofParcels } from '../support/service/service.js';

const swagger = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const ajv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openApi, 'document');

/** The documents of a service that asks for tokens, which the build makes of the others. */
const asking = ['document', 'openapi'].map((name) => {
  const { body } = JSON.parse(readFileSync(`dist/with-tokens/${name}.json`, 'utf8'));
  return [`${name}.json with tokens`, body] as const;
});

/** Documents with each kind of member, with which tests compare answers. */
const parcels = [
  ['the document of parcels', JSON.stringify(toSwagger2(ofParcels))],
  ['the 3.1 document of parcels', JSON.stringify(ofParcels)],
] as const;

it.each(Object.entries(generate(resources)))('%s is what the declarations and comments say', (file, generated) => {
  if (readFileSync(file, 'utf8') !== generated)
    throw new Error(`${file} is stale: run "npm run docs" and commit what it writes`);
});

it('names a resource that has no file', () => {
  expect(() => generate({ ...resources, bookings: {} })).toThrow(
    'functions/routes.ts has the resource "bookings", but there is no functions/bookings.ts.',
  );
});

describe.each([...Object.entries(generate(resources)), ...asking, ...parcels])('%s', (_name, text) => {
  const document = JSON.parse(text);

  it('passes the validator', async () => {
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toHaveProperty('info.version', 'v1');
  });

  it('has schemas that are valid', () => {
    const validator = addFormats.default(new (document.definitions ? Ajv : Ajv2020)({ strict: false }));
    const schemas: object = document.definitions ? asJsonSchema(document).definitions : document.components.schemas;
    for (const [name, schema] of Object.entries(schemas))
      expect([name, validator.validateSchema(schema), validator.errors]).toEqual([name, true, null]);
  });

  it('defines what it refers to, and nothing else', () => {
    const references = Array.from(text.matchAll(/"\$ref": ?"(.*?)"/g), ([, pointer]) => pointer);
    const [folder, schemas] = document.definitions
      ? ['#/definitions', document.definitions]
      : ['#/components/schemas', document.components.schemas];
    expect([...new Set(references)].sort()).toEqual(
      Object.keys(schemas)
        .map((name) => `${folder}/${name}`)
        .sort(),
    );
  });
});

it.each([
  ['2.0', swagger.definitions.Problem],
  ['3.1', openApi.components.schemas.Problem],
])(
  'in the %s document, the code of a problem may be missing, and is one of those of today or any other text',
  (_format, schema) => {
    expect(schema.required).not.toContain('code');
    const { description, ...code } = schema.properties.code;
    expect(code).toEqual({ type: 'string', 'x-extensible-enum': Object.keys(PROBLEMS) });
    expect(description).toContain('may be more');
  },
);

it('a document of a service that asks for tokens is the other one, with 401, 403, another reason for 503 and the scheme for each operation that is not open', () => {
  const [withSwagger, document] = asking.map(([, text]) => JSON.parse(text));
  expect(withSwagger.securityDefinitions.token).toMatchObject({ type: 'apiKey', in: 'header', name: 'Authorization' });
  expect(document.components.securitySchemes.token).toMatchObject({ type: 'http', scheme: 'bearer' });
  delete document.components.securitySchemes;
  for (const operation of operationsOf(document)) {
    expect(operation.responses[401].description).toBe('No token was sent, or the token is not valid.');
    expect(operation.security).toEqual([{ token: [] }]);
    const { description, headers, content } = operation.responses[403];
    expect(content['application/problem+json'].example.detail).toMatch(
      / scope (read, which GET|write, which (?!GET)[A-Z]+) needs\./,
    );
    expect(description).toMatch(
      /^(The request .*\. Or t|T)he token lacks the scope .*, or the token has no claim .*\.$/,
    );
    expect(headers).toHaveProperty('WWW-Authenticate');
    expect(operation.responses[503].description).toMatch(
      /^The collection cannot be reached .* Or the keys that tokens are verified with cannot be fetched .*\.$/,
    );
    for (const added of [401, 403, 503]) delete operation.responses[added];
    delete operation.security;
  }
  const without = structuredClone(openApi);
  for (const { responses } of operationsOf(without)) for (const added of [403, 503]) delete responses[added];
  expect(document).toEqual(without);
  expect(withTokens(openApi, [], 'https://login.example.com').paths).toEqual(openApi.paths);
});

it('docs/swagger.json has its members in their order (rule 28)', () => {
  const members = ['swagger', 'info', 'basePath', 'paths', 'definitions', 'securityDefinitions'];
  expect(Object.keys(swagger)).toEqual(members);
  expect(swagger).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
});

describe('docs/openapi.json', () => {
  it('has application/problem+json for every error, and JSON first for items, with a valid example', () => {
    for (const { responses } of operationsOf(openApi)) {
      for (const [status, { content }] of Object.entries<{ content?: Content }>(responses)) {
        const items = content && ['application/json', 'text/json', 'text/plain'];
        expect(content && Object.keys(content)).toEqual(Number(status) >= 400 ? ['application/problem+json'] : items);
        expectValid(content);
      }
    }
  });

  it('has an example of each parameter and body, and each is valid', () => {
    for (const { parameters = [], requestBody } of operationsOf(openApi)) {
      for (const { schema } of parameters) expectValid({ any: { schema, example: schema.examples[0] } });
      expectValid(requestBody?.content);
    }
  });
});

type Content = Readonly<Record<string, { readonly schema: object; readonly example?: unknown }>>;

/** Expects that the first of some media types, if there are any, has a valid example. */
function expectValid(content: Content = {}): void {
  for (const { schema, example } of Object.values(content).slice(0, 1)) {
    const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
    validate(example);
    expect(validate.errors).toBeNull();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: each document has operations of its own type.
function operationsOf(document: typeof openApi): any[] {
  return Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
}

const make = (html: string) => makeAssets('{ "swagger": "2.0" }', '{ "openapi": "3.1.0" }', html);

it('the assets are both documents, and the page compressed and uncompressed, the same on every operating system', () => {
  const { document, openapi, 'page.identity': plain, 'page.gzip': compressed } = make('<p>page');
  const bodies = [document, openapi, plain].map((asset) => asset?.body);
  expect(bodies).toEqual(['{"swagger":"2.0"}', '{"openapi":"3.1.0"}', '<p>page']);
  const bytes = Buffer.from(compressed?.body as string, 'base64');
  expect(gunzipSync(bytes).toString()).toBe('<p>page');
  // This byte would name the operating system.
  expect(bytes[9]).toBe(0xff);
});

it('the page has a policy for its own style and script, and the header fields that scanners look for', () => {
  const { 'page.gzip': page } = make('<style>a {}</style><script type="x">g()</script><script>f()</script>');
  const { 'Content-Security-Policy': policy, ...headers } = page?.headers ?? {};
  // As `printf 'f()' | openssl dgst -sha256 -binary | base64` has them.
  expect(policy).toContain("; script-src 'sha256-GcEEE0IkDzIP5EQ6DXZaDPORqT5RTBELX8Fyzyg9yvo='; ");
  expect(policy).toContain("; style-src 'sha256-mkSHzL7faOU7/U/v8Umg+058R69+vN2A2xmE3Fz1q98='; ");
  expect(policy).toMatch(/; require-trusted-types-for 'script'; trusted-types 'none'$/);
  expect(headers).toMatchObject({
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': expect.stringMatching(/^accelerometer=\(\), camera=\(\), .*, xr-spatial-tracking=\(\)$/),
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=63072000',
    'X-Frame-Options': 'DENY',
  });
});

it('the assets are what the last build wrote: if this fails, run npm run build', () => {
  const assets = makeAssets(JSON.stringify(swagger), JSON.stringify(openApi), makePage(swagger));
  for (const [name, response] of Object.entries(assets)) {
    expect([name, JSON.parse(readFileSync(`dist/${name}.json`, 'utf8'))]).toEqual([name, response]);
  }
});
