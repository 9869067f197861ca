// Generates docs/swagger.json, the description document: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resources } from '../functions/routes.js';
import { readComments } from '../shared/swagger/comments.js';
import { describeService } from '../shared/swagger/document.js';

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
  const commented = Object.entries(resources).flatMap(([name, exported]) => {
    const comments = readComments(`functions/${name}.ts`);
    return Object.entries(exported).map(([constant, declaration]) => ({ constant, declaration, comments }));
  });
  return `${JSON.stringify(describeService(INFO, commented), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync('docs/swagger.json', generate());
