// Generates docs/swagger.json and docs/openapi.json, the description documents: `npm run docs`.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { resources } from '../functions/routes.js';
import project from '../package.json';
import { describeService } from './generator/describe.js';
import { readComments } from './generator/read-comments.js';
import { toSwagger2 } from './generator/swagger2.js';

const INFO = { version: 'v1', title: project.title, description: project.description };

/**
 * Generates the documents from the declarations and the comments above them.
 *
 * @returns The documents as text, by the paths of their files.
 * @throws Error with file and line if a declaration and its comment don't match.
 */
export function generate(): Readonly<Record<string, string>> {
  const files = Object.entries(resources).map(([name, exported]) => {
    return { exported, comments: readComments(`functions/${name}.ts`) };
  });
  const document = describeService(INFO, files);
  return { 'docs/swagger.json': toText(toSwagger2(document)), 'docs/openapi.json': toText(document) };
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // Files that would not change are not written, because `npm run dev` builds after each change of a file.
  for (const [file, text] of Object.entries(generate())) {
    if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
  }
}
