import { setTimeout } from 'node:timers/promises';
import type { DeployedStage } from './deployed-stage.js';
import { type Described, describedIn } from './description.js';
import { expectStatus, expectThat, type Lines } from './outcome.js';
import type { Answer } from './received-answer.js';

const WRONG_URL = 'Is this the PageUrl that `npx serverless info` prints for the stage? docs/deploy.md#the-first-time.';

/**
 * Waits while the stage answers 5xx, and reads its documents. The role of a new stage takes up to a minute to work.
 *
 * @returns What there is to try.
 * @throws Fault if it still fails after the time, or is not the service.
 */
export async function waitFor(stage: DeployedStage): Promise<Described> {
  const until = Date.now() + stage.expected.wait * 1_000;
  const described = describedIn(
    expectStatus(200, await patiently(stage, '/swagger/v1/openapi.json', until), WRONG_URL).json,
  );
  const answer = await patiently(stage, described.list, until);
  expectThat(
    answer.status > 0 && answer.status < 500,
    `${answer.told} for ${stage.expected.wait} s. docs/incidents.md.`,
  );
  return described;
}

async function patiently(stage: DeployedStage, path: string, until: number): Promise<Answer> {
  for (;;) {
    const answer = await stage.callOnce('GET', path);
    if ((answer.status > 0 && answer.status < 500) || Date.now() >= until) return answer;
    await setTimeout(Math.min(1_000, Math.max(until - Date.now(), 0)));
  }
}

/** Tries the page and the documents, which are open to everybody. */
export async function* tryDocuments(stage: DeployedStage): Lines {
  const page = expectStatus(200, await stage.call('GET', '/swagger/ui', { anonymous: true }));
  const policy = page.headers.get('content-security-policy') ?? 'none';
  expectThat(
    /default-src 'none'/.test(policy) && !policy.includes('unsafe-eval'),
    `The page's policy is ${policy}: docs/security.md.`,
  );
  yield 'The page is there, with a Content-Security-Policy';
  const swagger = expectStatus(200, await stage.call('GET', '/swagger/v1/swagger.json', { anonymous: true }));
  expectThat(
    swagger.json.swagger === '2.0' && swagger.json.basePath === '/',
    `${swagger.told}, but not with Swagger 2.0 and the basePath /.`,
  );
  const openApi = expectStatus(200, await stage.call('GET', '/swagger/v1/openapi.json', { anonymous: true }));
  const [server] = openApi.json.servers ?? [];
  const root = stage.pathOf('/');
  expectThat(
    `${server?.url}/`.replace(/\/+$/, '/') === root,
    `The document names the server ${server?.url} instead of ${root}, so generated clients call another place. ${WRONG_URL}`,
  );
  yield 'Both documents are there, and name the server that they came from';
  for (const answer of [page, swagger, openApi]) {
    expectThat(
      answer.headers.get('x-content-type-options') === 'nosniff',
      `${answer.told} without nosniff: docs/security.md.`,
    );
    expectThat(
      answer.headers.has('etag'),
      `${answer.told} without an ETag: docs/rules.md#prefix-cors-documents-and-page.`,
    );
  }
  yield 'Page and documents have their security header fields';
}
