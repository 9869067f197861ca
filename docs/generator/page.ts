import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';
import { buildSync } from 'esbuild';
import { Eta } from 'eta';
import { fieldsOf } from './fields.js';
import { type Definition, exampleOf, type SwaggerOperation, type TypeText, typeTextOf } from './type.js';

/** The parts of the description document (Swagger 2.0) that the page is made from. */
export interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, SwaggerOperation>>>>;
  readonly definitions: Readonly<Record<string, Definition>>;
}

/**
 * Makes the interactive page, in HTML, from the description document and from the template, style and script in a folder. All
 * of it is in one file, so that a browser needs no second request.
 *
 * @throws Error if a part is missing, or would break the page.
 */
export function makePage(document: Document, folder = 'docs/page'): string {
  const { info, paths, definitions } = document;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      return { ...operation, path, method, fields: fieldsOf(operation, method, definitions) };
    }),
  );
  return eta.renderString(readFileSync(`${folder}/page.eta`, 'utf8'), {
    info,
    definitions,
    sections: Array.from(new Set(operations.map(tagOf)), (tag) => {
      return { tag, operations: operations.filter((operation) => tagOf(operation) === tag) };
    }),
    text,
    typeOf: (value: Definition) => type(typeTextOf(value)),
    example: (value: Definition) => JSON.stringify(exampleOf(value, definitions), null, 2),
    reasonOf: (status: string) => STATUS_CODES[status] ?? '',
    style: () => inStyle(`${folder}/style.css`),
    script: () => inScript(bundle(`${folder}/main.ts`)),
  });
}

const eta = new Eta();

function tagOf({ tags }: SwaggerOperation): string | undefined {
  return tags[0];
}

/** Text between backticks becomes code. */
function text(description = ''): string {
  return eta.config.escapeFunction(description).replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** The name of a definition becomes a link to it. */
function type({ text, definition }: TypeText): string {
  const [before, after] = text.map(eta.config.escapeFunction) as [string, string];
  if (definition === undefined) return before + after;
  const name = eta.config.escapeFunction(definition);
  return `${before}<a href="#model-${encodeURIComponent(definition)}">${name}</a>${after}`;
}

function bundle(file: string): string {
  const options = { bundle: true, minify: true, format: 'iife', target: 'es2022', write: false } as const;
  const { outputFiles } = buildSync({ entryPoints: [file], ...options, legalComments: 'none' });
  return outputFiles.map(({ text }) => text).join('');
}

/** Escapes what could end a script element or open a comment in it, as the HTML standard recommends (4.12.1.3). */
function inScript(code: string): string {
  return code.replace(/<(?=!--|\/?script)/gi, '\\x3C');
}

function inStyle(file: string): string {
  const { outputFiles } = buildSync({ entryPoints: [file], minify: true, target: 'es2022', write: false });
  const style = outputFiles.map(({ text }) => text).join('');
  if (/<\/style/i.test(style)) throw new Error(`${file} can't stand inside a page: it would end its element`);
  return style;
}
