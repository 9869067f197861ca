// Generates docs/swagger.json and docs/openapi.json, the description documents: `npm run docs`.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { resources as Resources } from '../functions/routes.js';
import project from '../package.json';
import { describeService } from './generator/describe.js';
import { readComments } from './generator/read-comments.js';
import { toSwagger2 } from './generator/swagger2.js';

const INFO = { version: 'v1', title: project.title, description: project.description };

/**
 * Generates the documents from the declarations and the comments above them.
 *
 * @param resources - Those of `functions/routes.ts`.
 * @returns The documents as text, by the paths of their files.
 * @throws Error with file and line if a declaration and its comment don't match, or if a resource has no file of its name.
 */
export function generate(resources: typeof Resources): Readonly<Record<string, string>> {
  const files = Object.entries(resources).map(([name, exported]) => {
    if (!existsSync(`functions/${name}.ts`))
      throw new Error(`functions/routes.ts has the resource "${name}", but there is no functions/${name}.ts.`);
    return { exported, comments: readComments(`functions/${name}.ts`) };
  });
  const document = describeService(INFO, files);
  return { 'docs/swagger.json': toText(toSwagger2(document)), 'docs/openapi.json': toText(document) };
}

function toText(document: object): string {
  return `${JSON.stringify(document, null, 2)}\n`;
}

/**
 * Writes the documents. `npm run dev` builds after each change in this folder, and then ends this process. So a file that would not
 * change is not written, and the others are written elsewhere and renamed: a reader never finds one that is empty or half written.
 */
async function write(): Promise<void> {
  const { resources } = await import('../functions/routes.js').catch((error) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new Error(`functions/routes.ts, or a file that it imports, imports one that is not there: ${error.message}`);
  });
  mkdirSync('.dev', { recursive: true });
  for (const [file, text] of Object.entries(generate(resources))) {
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    const written = `.dev/${basename(file)}`;
    writeFileSync(written, text);
    renameSync(written, file);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  write().catch((error) => {
    // A mistake in a declaration is a sentence. Any other error is a fault of this code, whose stack says where.
    console.error(error.constructor === Error ? error.message : error);
    process.exitCode = 1;
  });
}
