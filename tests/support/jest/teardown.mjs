import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Fails a run of all tests if the document has an answer that no test has seen. */
export default function teardown({ testPathPatterns, testNamePattern, findRelatedTests, onlyFailures }) {
  const answered = new Set(readFileSync(process.env.ANSWERS_FILE, 'utf8').split('\n'));
  rmSync(dirname(process.env.ANSWERS_FILE), { recursive: true });
  if (testPathPatterns.patterns.length > 0 || testNamePattern || findRelatedTests || onlyFailures) return;
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const documented = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .flatMap(({ operationId, responses }) => Object.keys(responses).map((status) => `${operationId} ${status}`));
  const unseen = documented.filter((answer) => !answered.has(answer));
  if (unseen.length > 0) throw new Error(`The document promises answers that no test has seen: ${unseen.join(', ')}`);
}
