import { setTimeout } from 'node:timers/promises';
import type { DeployedStage } from './deployed-stage.js';
import { type Described, describedIn, operationIdsIn } from './description.js';
import { expectContent, expectThat, type Lines } from './outcome.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

const WRONG_URL = 'Is this the PageUrl that `npx serverless info` prints for the stage? docs/deploy.md#the-first-time.';
const DOCUMENTS = 'docs/rules.md#prefix-cors-documents-and-page.';

/**
 * Waits while the stage answers 5xx, and reads its documents. The role of a new stage takes up to a minute to work.
 *
 * @returns What there is to try.
 * @throws Fault if it still fails after the time, or is not the service.
 */
export async function waitFor(stage: DeployedStage): Promise<Described> {
  const until = Date.now() + stage.expected.wait * 1_000;
  const document = await patiently(stage, '/swagger/v1/openapi.json', until);
  const described = describedIn(expectContent('application/json', document, WRONG_URL).json);
  const answer = await patiently(stage, described.list, until);
  expectThat(
    answer.status > 0 && answer.status < 500,
    `${answer.told} for ${stage.expected.wait} s. docs/incidents.md.`,
  );
  return described;
}

/** Sends no token: documents need none, and a 401 also shows that the stage answers. */
async function patiently(stage: DeployedStage, path: string, until: number): Promise<Answer> {
  for (;;) {
    const answer = await stage.callOnce('GET', path, { anonymous: true });
    if ((answer.status > 0 && answer.status < 500) || Date.now() >= until) return answer;
    await setTimeout(Math.min(1_000, Math.max(until - Date.now(), 0)));
  }
}

/** Tries the page and the documents, which need no token and no signature. */
export async function* tryDocuments(stage: DeployedStage, { operationIds }: Described): Lines {
  const page = expectContent('text/html', await stage.call('GET', '/swagger/ui', { anonymous: true }));
  const policy = page.headers.get('content-security-policy') ?? '';
  expectThat(policy.includes("default-src 'none'"), `The page's policy is ${shown(policy)}: docs/security.md.`);
  expectThat(!policy.includes('unsafe-eval'), "The page's policy has 'unsafe-eval': docs/security.md.");
  const missing = operationIds.find((id) => !page.text.includes(`id="${id}"`));
  expectThat(
    missing === undefined,
    `${page.told}, but the page is without the operation ${shown(missing)}. ${DOCUMENTS}`,
  );
  expectThat(page.text.trimEnd().endsWith('</html>'), `${page.told}, but the page ends in the middle. ${DOCUMENTS}`);
  yield 'The page has all operations, and a Content-Security-Policy';
  const swagger = expectContent(
    'application/json',
    await stage.call('GET', '/swagger/v1/swagger.json', { anonymous: true }),
  );
  expectThat(
    swagger.json.swagger === '2.0' && swagger.json.basePath === '/',
    `${swagger.told}, but not with Swagger 2.0 and the basePath /.`,
  );
  expectThat(
    String(operationIdsIn(swagger.json)) === String(operationIds),
    `${swagger.told} with other operations than the OpenAPI document: ${shown(operationIdsIn(swagger.json))}. ${DOCUMENTS}`,
  );
  const openApi = expectContent(
    'application/json',
    await stage.call('GET', '/swagger/v1/openapi.json', { anonymous: true }),
  );
  const [server] = openApi.json.servers ?? [];
  const root = stage.pathOf('/');
  expectThat(
    `${server?.url}/`.replace(/\/+$/, '/') === root,
    `The document names the server ${shown(server?.url)} instead of ${root}, so generated clients call another place. ${WRONG_URL}`,
  );
  yield 'Both documents are there, and name the server that they came from';
  for (const answer of [page, swagger, openApi]) {
    expectThat(
      answer.headers.get('x-content-type-options') === 'nosniff',
      `${answer.told} without nosniff: docs/security.md.`,
    );
    expectThat(answer.headers.has('etag'), `${answer.told} without an ETag: ${DOCUMENTS}`);
  }
  yield 'Page and documents have their security header fields';
}
