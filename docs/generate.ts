// Generates docs/swagger.json and docs/openapi.json, the description documents: `npm run docs`.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resources } from '../functions/routes.js';
import { readComments } from '../shared/swagger/comments.js';
import { describeService } from '../shared/swagger/describe.js';
import { writeOpenApi } from '../shared/swagger/openapi3.js';
import { writeSwagger } from '../shared/swagger/swagger2.js';

const INFO = {
  version: 'v1',
  title: 'To-do Item Service',
  description: 'Keeps a list of to-do items: create, read, list, replace, change and delete them.',
};

/**
 * Generates the documents from the declarations and the comments above them.
 *
 * @returns The documents as text, by the path of the file that should have it.
 * @throws Error with file and line where declaration and comment don't go together.
 */
export function generate(): Readonly<Record<string, string>> {
  const commented = Object.entries(resources).flatMap(([name, exported]) => {
    const comments = readComments(`functions/${name}.ts`);
    return Object.entries(exported).map(([constant, declaration]) => ({ constant, declaration, comments }));
  });
  const description = describeService(INFO, commented);
  return {
    'docs/swagger.json': toText(writeSwagger(description)),
    'docs/openapi.json': toText(writeOpenApi(description)),
  };
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of Object.entries(generate())) writeFileSync(file, text);
}
