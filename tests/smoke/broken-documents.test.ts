// Each stage has one fault in its page or its documents.
import { describe, expect, it, jest } from '@jest/globals';
import type { Answer } from '../support/service/answer.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import {
  answers,
  aStage,
  aTable,
  broken,
  builtDocument,
  type Fault,
  fields,
  finds,
  json,
  LIVE,
  serving,
  smoke,
  smokeAt,
} from './stage.js';

const [PAGE, SWAGGER, OPENAPI] = ['/swagger/ui', '/swagger/v1/swagger.json', '/swagger/v1/openapi.json'];

const at = (changed: string, change: (answer: Answer) => Partial<Answer>) =>
  answers((answer, _method, path) => (path === changed ? change(answer) : {}));

const OPERATIONS: readonly string[] = Object.values<Record<string, { operationId: string }>>(
  builtDocument().paths,
).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
const LAST = OPERATIONS.at(-1) as string;

const STAGES: readonly [what: string, fault: Fault, sentence: string][] = [
  [
    'the page is a text',
    at(PAGE, () => ({ content: Buffer.from('hello') })),
    `GET /live/swagger/ui answered 200, but the page is without the operation "${OPERATIONS[0]}".`,
  ],
  [
    'the page lacks an operation',
    at(PAGE, ({ text }) => ({ content: Buffer.from(text.replaceAll(`id="${LAST}"`, '')) })),
    `GET /live/swagger/ui answered 200, but the page is without the operation "${LAST}".`,
  ],
  [
    'the page ends in its last line',
    at(PAGE, ({ text }) => ({ content: Buffer.from(text.slice(0, -20)) })),
    'GET /live/swagger/ui answered 200, but the page ends in the middle.',
  ],
  [
    'the page is sent as a text',
    at(PAGE, (answer) => fields(answer, { 'content-type': 'text/plain' })),
    'GET /live/swagger/ui answered 200 as "text/plain" instead of text/html',
  ],
  ['the page is not there', at(PAGE, () => ({ status: 404 })), 'GET /live/swagger/ui answered 404 instead of 200.'],
  [
    'the page has no policy',
    at(PAGE, (answer) => fields(answer, { 'content-security-policy': undefined })),
    'The page\'s policy is "": docs/security.md.',
  ],
  [
    'the page may evaluate text',
    at(PAGE, (answer) =>
      fields(answer, {
        'content-security-policy': `${answer.headers['content-security-policy']}; script-src 'unsafe-eval'`,
      }),
    ),
    "The page's policy has 'unsafe-eval': docs/security.md.",
  ],
  [
    'there is no nosniff',
    answers((answer) => fields(answer, { 'x-content-type-options': undefined })),
    'GET /live/swagger/ui answered 200 without nosniff: docs/security.md.',
  ],
  [
    'a document has no ETag',
    at(SWAGGER, (answer) => fields(answer, { etag: undefined })),
    'GET /live/swagger/v1/swagger.json answered 200 without an ETag: docs/rules.md#prefix-cors-documents-and-page.',
  ],
  [
    'the Swagger document is of another version',
    at(SWAGGER, ({ json: document }) => json({ ...document, swagger: '3.0' })),
    'GET /live/swagger/v1/swagger.json answered 200, but not with Swagger 2.0 and the basePath /.',
  ],
  [
    'the Swagger document has a base path, which may be another than the caller’s',
    at(SWAGGER, ({ json: document }) => json({ ...document, basePath: '/dev' })),
    'GET /live/swagger/v1/swagger.json answered 200, but not with Swagger 2.0 and the basePath /.',
  ],
  [
    'the Swagger document has no operations',
    at(SWAGGER, ({ json: { paths: _, ...document } }) => json(document)),
    'GET /live/swagger/v1/swagger.json answered 200 with other operations than the OpenAPI document: "[]".',
  ],
  [
    'half of the Swagger document is there',
    at(SWAGGER, ({ text }) => ({ content: Buffer.from(text.slice(0, text.length / 2)) })),
    'GET /live/swagger/v1/swagger.json answered 200, but not with Swagger 2.0 and the basePath /.',
  ],
  [
    'the OpenAPI document names no server',
    at(OPENAPI, ({ json: { servers: _, ...document } }) => json(document)),
    'The document names the server nothing instead of /live/, so generated clients call another place.',
  ],
];

describe('npm run smoke finds a stage where', () => {
  it.each(STAGES)('%s', async (_what, fault, sentence) => {
    const { code, before, after, faults } = await finds(await aStage(), fault);
    expect(faults).toEqual([expect.stringContaining(`FAILED  ${sentence}`), expect.stringMatching(/^FAILED {2}1 of /)]);
    expect([code, after]).toEqual([1, before]);
  });

  it.each<[what: string, fault: Fault, sentence: string]>([
    [
      'half of the OpenAPI document is there',
      at(OPENAPI, ({ text }) => ({ content: Buffer.from(text.slice(0, text.length / 2)) })),
      'The document has no POST, so there is nothing to try.',
    ],
    [
      'the OpenAPI document has only the path of an item',
      at(OPENAPI, ({ json: document }) => json({ ...document, paths: { '/a/{id}': { post: {} } } })),
      'The document has no POST, so there is nothing to try.',
    ],
    [
      'the OpenAPI document has no schemas',
      at(OPENAPI, ({ json: { components: _, ...document } }) => json(document)),
      `The document has no example or no schema of an item for POST "${COLLECTION}": docs/rules.md#prefix-cors-documents-and-page.`,
    ],
    [
      'the OpenAPI document says nothing of POST',
      at(OPENAPI, ({ json: document }) => json({ ...document, paths: { '/a': { post: {} } } })),
      'The document has no example or no schema of an item for POST "/a": docs/rules.md#prefix-cors-documents-and-page.',
    ],
    [
      'the OpenAPI document is sent as a page',
      at(OPENAPI, (answer) => fields(answer, { 'content-type': 'text/html' })),
      'GET /live/swagger/v1/openapi.json answered 200 as "text/html" instead of application/json',
    ],
    [
      'the documents are there, and the list fails',
      answers((_answer, _method, path) => (path === COLLECTION ? { status: 502, ...json({ message: 'Bad' }) } : {})),
      `GET /live${COLLECTION} answered 502 ("Bad") for 0 s. docs/incidents.md.`,
    ],
  ])('%s, and tries nothing else', async (_what, fault, sentence) => {
    const { code, lines } = await smoke(broken(await aStage(), fault));
    expect(lines[0]).toContain(`FAILED  ${sentence}`);
    expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(2);
    expect(code).toBe(1);
  });

  it('the table is not there', async () => {
    const { lines } = await smoke(startDeployed(LIVE, { ...(await aTable()), TABLE_NAME: 'another' }));
    expect(lines[0]).toMatch(/^FAILED {2}GET \/live\/\S+ answered 50[03] .* docs\/incidents\.md/);
  });

  it('the prefix is lost on the way', async () => {
    const { lines } = await smoke({ ...startDeployed(undefined), prefix: '/behind' });
    expect(lines.join('\n')).toMatch(/The document names the server \S+ instead of \/behind\//);
    expect(lines.join('\n')).toMatch(/Location is "\/\S+" instead of \/behind\//);
  });

  it('the URL names another stage', async () => {
    const url = await serving(await aStage());
    const { code, lines } = await smokeAt(url.replace('/live', '/liv'));
    expect(lines[0]).toMatch(/^FAILED {2}GET \/liv\/swagger\/v1\/openapi\.json answered 403 .* Is this the PageUrl/);
    expect(code).toBe(1);
  });

  it('answers take more than five seconds', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 5_001));
    try {
      const { code, before, after, faults } = await finds(await aStage(), (call) => call);
      expect(faults).toEqual([
        expect.stringMatching(
          /^FAILED {2}The first answer took N ms, the others N ms \(median of \d+\)\. That is slow: docs/,
        ),
        'FAILED  1 of 19 checks.',
      ]);
      expect([code, after]).toEqual([1, before]);
    } finally {
      clock.mockRestore();
    }
  });
});
