// Generates docs/swagger.json and docs/openapi.json, the description documents: `npm run docs`.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
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
  // `npm run dev` builds after each change in this folder, and then ends this process. So a file that would not change is not
  // written, and the others are written elsewhere and renamed: nobody finds one that is empty or half written.
  mkdirSync('.dev', { recursive: true });
  for (const [file, text] of Object.entries(generate())) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    const written = `.dev/${basename(file)}`;
    writeFileSync(written, text);
    renameSync(written, file);
  }
}
