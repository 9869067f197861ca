import { readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/** Fails a run of all tests if a document has an answer that no test has seen. */
export default async function teardown({ testPathPatterns, testNamePattern, findRelatedTests, onlyFailures }) {
  await globalThis.browser?.close();
  const lines = new Set(readFileSync(process.env.ANSWERS_FILE, 'utf8').split('\n'));
  rmSync(dirname(process.env.ANSWERS_FILE), { recursive: true });
  if (testPathPatterns.patterns.length > 0 || testNamePattern || findRelatedTests || onlyFailures) return;
  const promised = [...lines]
    .filter((line) => line.startsWith('promised '))
    .map((line) => line.slice('promised '.length));
  const unseen = promised.filter((answer) => !lines.has(answer));
  if (unseen.length > 0) throw new Error(`The documents promise answers that no test has seen: ${unseen.join(', ')}`);
}
