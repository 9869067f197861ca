// Generates docs/swagger.json, the description document: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { interfaceRoutes } from '../functions/routes.js';
import * as operations from '../functions/todo.js';
import { readComments, readMemberComments } from '../shared/swagger/comments.js';
import { describeService } from '../shared/swagger/document.js';
import { todoItem } from '../shared/todo/item.js';

const INFO = {
  version: 'v1',
  title: 'To-do Item Service',
  description: 'Keeps a list of to-do items: create, read, list, replace, change and delete them.',
};

/**
 * Generates the document from the declarations and the comments above them.
 *
 * @returns The document as text, as docs/swagger.json should have it.
 * @throws Error with file and line where declaration and comment don't go together.
 */
export function generate(): string {
  const comments = readComments('functions/todo.ts');
  const routes = Object.entries(operations)
    .map(([name, declaration]) => ({ declaration, comment: comments.get(name) ?? fail(name) }))
    .sort((one, other) => interfaceRoutes.indexOf(one.declaration) - interfaceRoutes.indexOf(other.declaration));
  const members = readMemberComments('shared/todo/item.ts', 'todoItem');
  return `${JSON.stringify(describeService(INFO, routes, todoItem, members), null, 2)}\n`;
}

function fail(name: string): never {
  throw new Error(`functions/todo.ts: ${name} is not declared as an exported constant`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync('docs/swagger.json', generate());
