import { readFileSync } from 'node:fs';
import { buildSync } from 'esbuild';
import { Eta } from 'eta';

/** As much of the description document as the page is made of; its template, ui.html, looks into the operations. */
export interface Document {
  readonly info: object;
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  readonly definitions: object;
}

/**
 * Makes the interactive page: one file with all its parts inside, so that a browser needs no second request.
 *
 * @param document - The description document, which is inside the page, as data and as a plain list for who reads
 * without scripts or while they are on their way.
 * @param docs - The folder of the page's template, ui.html, and of the folder of its own parts, ui.
 * @param swaggerUi - The folder of swagger-ui-dist.
 * @returns The page, in HTML.
 * @throws Error when a part is missing, or could not stand inside the page.
 */
export function makePage(document: Document, docs = 'docs', swaggerUi = 'node_modules/swagger-ui-dist'): string {
  const { info, paths, definitions } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  );
  return eta.renderString(readFileSync(`${docs}/ui.html`, 'utf8'), {
    info,
    operations,
    definitions,
    words,
    factsOf,
    // As data, which a policy need not admit: only scripts are run (HTML standard, 4.12.1).
    data: JSON.stringify(document).replaceAll('<', '\\u003C'),
    style: (name: string) => inStyle(`${docs}/ui/${name}.css`),
    script: (name: string) => inScript(bundle(`${docs}/ui/${name}.js`)),
    swaggerUi: {
      style: () => inStyle(`${swaggerUi}/swagger-ui.css`),
      script: () => inScript(readFileSync(`${swaggerUi}/swagger-ui-bundle.js`, 'utf8')),
    },
  });
}

const eta = new Eta();

function words(text: string): string {
  return eta.config.escapeFunction(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A parameter, a response, or a member of a definition. That of a body has its type in a schema. */
interface Value {
  readonly in?: string;
  readonly schema?: Value;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly items?: Value;
}

function factsOf(value: Value, isRequired: boolean): string {
  const { $ref, type, format, items } = value.schema ?? value;
  const types = items ? [`array of ${factsOf(items, false)}`] : [$ref?.split('/').at(-1), type, format];
  const facts = [value.in && `in ${value.in}`, ...types, isRequired && 'required'];
  return [...facts, 'default' in value && `default ${value.default}`].filter(Boolean).join(', ');
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
