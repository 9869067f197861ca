import { existsSync, readFileSync } from 'node:fs';
import type { Variables } from './read-parameters.js';

const FILE = 'serverless/stages.yml';

/**
 * Makes the setting `params` of Serverless Framework, which is stages.yml. A missing one, or one without a block, says nothing about any
 * stage. Serverless Framework itself would fail, and name neither.
 */
export default async function stages({ resolveVariable }: Pick<Variables, 'resolveVariable'>): Promise<unknown> {
  // A file with comments alone is null, but a blank one is rejected.
  const isEmpty = existsSync(FILE) && readFileSync(FILE, 'utf8').trim() === '';
  return (isEmpty ? undefined : await resolveVariable(`file(./${FILE}), null`)) ?? { default: {} };
}
