import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { COMPLETE, DELETE_DONE } from './added.js';

it.each([
  ['the operation', DELETE_DONE],
  ['the action', COMPLETE],
])('CONTRIBUTING.md shows %s that npm run recipes adds and runs', (_, code) => {
  expect(readFileSync('CONTRIBUTING.md', 'utf8')).toContain(`\`\`\`ts\n${code}\`\`\`\n`);
});
