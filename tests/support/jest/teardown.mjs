import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Fails a run of all tests if the document, as it is where people sign in, has an answer that no test has seen. */
export default async function teardown({
  testPathPatterns,
  testNamePattern,
  findRelatedTests,
  onlyChanged,
  onlyFailures,
}) {
  await globalThis.browser?.close();
  const seen = readFileSync(process.env.ANSWERS_FILE, 'utf8').split('\n');
  rmSync(dirname(process.env.ANSWERS_FILE), { recursive: true });
  const isPart = testNamePattern || findRelatedTests || onlyChanged || onlyFailures;
  if (testPathPatterns.patterns.length > 0 || isPart) return;
  const { paths } = JSON.parse(JSON.parse(readFileSync('dist/with-tokens/openapi.json', 'utf8')).body);
  const unseen = Object.values(paths)
    .flatMap(Object.values)
    .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`))
    .filter((answer) => !seen.includes(answer));
  if (unseen.length > 0) throw new Error(`The documents promise answers that no test has seen: ${unseen.join(', ')}`);
}
