import { readdirSync } from 'node:fs';

// The tests that take no more than seconds, in one file: what they share is loaded once for each fault.
const shared = readdirSync('tests/shared', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !/swagger|dynamodb.send/.test(file))
  .map((file) => `../shared/${file.replaceAll('\\', '/').replace('.ts', '.js')}`);
const functions = [
  'configuration',
  'api',
  'recorded',
  'conditions',
  'cors',
  'todo',
  'list',
  'order',
  'swagger',
  'capacity',
];

for (const file of shared) require(file);
for (const name of functions) require(`../functions/${name}.test.js`);
require('../abuse/requests.test.js');
