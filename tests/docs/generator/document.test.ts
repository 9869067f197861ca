import { readFileSync } from 'node:fs';
import SwaggerParser from '@apidevtools/swagger-parser';
import { describe, expect, it } from '@jest/globals';
import Ajv from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { generate } from '../../../docs/generate.js';
import { withTokens } from '../../../docs/generator/with-tokens.js';
import { asJsonSchema } from '../../support/service/matches-document.js';

const swagger = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
const openApi = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const swaggerAjv = addFormats.default(new Ajv({ strict: false })).addSchema(asJsonSchema(swagger), 'document');
const openApiAjv = addFormats.default(new Ajv2020({ strict: false })).addSchema(openApi, 'document');

/** The documents of a service that asks for tokens, which the build makes of the others. */
const asking = ['document', 'openapi'].map((name) => {
  const { body } = JSON.parse(readFileSync(`dist/with-tokens/${name}.json`, 'utf8'));
  return [`${name}.json with tokens`, body] as const;
});

it.each(Object.entries(generate()))('%s is what the declarations and comments say', (file, generated) => {
  if (readFileSync(file, 'utf8') !== generated)
    throw new Error(`${file} is stale: run "npm run docs" and commit what it writes`);
});

describe.each([...Object.entries(generate()), ...asking])('%s', (_name, text) => {
  const document = JSON.parse(text);

  it('passes the validator', async () => {
    await expect(SwaggerParser.validate(structuredClone(document))).resolves.toHaveProperty('info.version', 'v1');
  });

  it('defines what it refers to, and nothing else', () => {
    const references = new Set(Array.from(text.matchAll(/"\$ref": ?"(.*?)"/g), ([, pointer]) => pointer));
    const defined = document.definitions
      ? Object.keys(document.definitions).map((name) => `#/definitions/${name}`)
      : Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect([...references].sort()).toEqual(defined.sort());
  });
});

describe('a document of a service that asks for tokens', () => {
  it.each([swagger, openApi])('is the other one, with 401 and the scheme for each operation', (open) => {
    const { securityDefinitions, ...document } = JSON.parse(asking[open === swagger ? 0 : 1]?.[1] as string);
    for (const operation of operationsOf(document)) {
      const { 401: unauthorized, ...responses } = operation.responses;
      expect(unauthorized).toMatchObject({ description: 'No token was sent, or the token is not valid.' });
      expect(operation.security).toEqual([{ token: [] }]);
      operation.responses = responses;
      delete operation.security;
    }
    const schemes = securityDefinitions ?? document.components.securitySchemes;
    expect(schemes).toEqual({ token: expect.objectContaining({ type: securityDefinitions ? 'apiKey' : 'http' }) });
    delete document.components?.securitySchemes;
    expect({ ...document, ...(securityDefinitions && { securityDefinitions: {} }) }).toEqual(open);
  });

  it('asks for none where an operation has no items', () => {
    expect(withTokens(openApi, []).paths).toEqual(openApi.paths);
  });
});

describe('docs/swagger.json', () => {
  it('has the members of rule 28, in their order', () => {
    const members = ['swagger', 'info', 'basePath', 'paths', 'definitions', 'securityDefinitions'];
    expect(Object.keys(swagger)).toEqual(members);
    expect(swagger).toMatchObject({ swagger: '2.0', info: { version: 'v1' }, basePath: '/', securityDefinitions: {} });
  });

  it('has an example of each answer with content, and each is valid', () => {
    for (const [status, { schema, examples = {} }] of responsesOf(swagger)) {
      const type = Number(status) < 400 ? 'application/json' : 'application/problem+json';
      expect(Object.keys(examples)).toEqual(schema ? [type] : []);
      if (schema) expectValid(swaggerAjv, schema, examples[type]);
    }
  });
});

describe('docs/openapi.json', () => {
  it('has application/problem+json for every error, and JSON first for items, with a valid example', () => {
    for (const [status, { content }] of responsesOf(openApi)) {
      const items = content && ['application/json', 'text/json', 'text/plain'];
      expect(content && Object.keys(content)).toEqual(Number(status) >= 400 ? ['application/problem+json'] : items);
      const [first] = Object.values<Content>(content ?? {});
      if (first) expectValid(openApiAjv, first.schema, first.example);
    }
  });

  it('has an example of each parameter and body, and each is valid', () => {
    for (const { parameters, requestBody } of operationsOf(openApi)) {
      for (const { schema } of parameters ?? []) expectValid(openApiAjv, schema, schema.examples[0]);
      const [content] = Object.values<Content>(requestBody?.content ?? {});
      if (content) expectValid(openApiAjv, content.schema, content.example);
    }
  });
});

interface Content {
  readonly schema: object;
  readonly example?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: each document has responses of its own type.
function responsesOf(document: typeof openApi): [status: string, response: any][] {
  return operationsOf(document).flatMap(({ responses }) => Object.entries(responses));
}

// biome-ignore lint/suspicious/noExplicitAny: each document has operations of its own type.
function operationsOf(document: typeof openApi): any[] {
  return Object.values<object>(document.paths).flatMap((methods) => Object.values(methods));
}

function expectValid(ajv: Ajv, schema: object, value: unknown): void {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  validate(value);
  expect(validate.errors).toBeNull();
}
