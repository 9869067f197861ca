import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { type Document, escapeHtml, listDefinitions, listOperations } from './listing.js';

/**
 * Makes the interactive page: one file with all its parts inside, so that a browser needs no second request.
 *
 * @param document - The description document, which is inside the page, as data and as a plain list.
 * @param docs - The folder of the page's template, ui.html, where a comment stands for what takes its place, and of the folder of its own parts, ui.
 * @param swaggerUi - The folder of swagger-ui-dist.
 * @returns The page, in HTML.
 * @throws Error when a part is missing, or could not stand inside the page.
 */
export function makePage(document: Document, docs = 'docs', swaggerUi = 'node_modules/swagger-ui-dist'): string {
  const made: Readonly<Record<string, () => string>> = {
    version: () => escapeHtml(document.info.version),
    description: () => escapeHtml(document.info.description),
    operations: () => listOperations(document),
    definitions: () => listDefinitions(document),
    document: () => inPage(document),
    'main.js': () => inScript(bundle(`${docs}/ui/main.js`)),
    'swagger-ui-bundle.js': () => inScript(readFileSync(`${swaggerUi}/swagger-ui-bundle.js`, 'utf8')),
    'swagger-ui.css': () => inStyle(`${swaggerUi}/swagger-ui.css`),
  };
  const part = (name: string) => (made[name] ?? (() => inStyle(`${docs}/ui/${name}`)))();
  return readFileSync(`${docs}/ui.html`, 'utf8').replace(PLACE, (_, name) => part(name));
}

const PLACE = /(?:\/\*|<!--) ([\w.-]+) (?:\*\/|-->)/g;

/** As data, which a policy need not admit: only scripts are run (HTML standard, 4.12.1). */
function inPage(document: Document): string {
  const json = JSON.stringify(document).replaceAll('<', '\\u003C');
  return `<script type="application/json" id="document">${json}</script>`;
}

function bundle(file: string): string {
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2022', write: false } as const;
  const { outputFiles } = buildSync({ entryPoints: [file], ...options });
  return outputFiles.map(({ text }) => text).join('');
}

/** Inside a script element, what could end it or open a comment is escaped, as the HTML standard recommends (4.12.1.3). */
function inScript(text: string): string {
  return text.replace(/<(?=!--|\/?script)/gi, '\\x3C');
}

function inStyle(file: string): string {
  const text = readFileSync(file, 'utf8');
  if (/<\/style/i.test(text)) throw new Error(`${file} can't stand inside a page: it would end its element`);
  return text;
}
