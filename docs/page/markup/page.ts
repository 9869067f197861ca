import { buildSync } from 'esbuild';
import { controls } from './controls.js';
import { exampleOf } from './examples.js';
import { type Content, type Html, html, sentence, verbatim } from './html.js';
import { type Section, sectionsOf } from './sections.js';
import { errorsOf, jsonBlock, membersOf } from './statuses.js';
import { type Document, type SecurityScheme, tokenScheme } from './swagger-document.js';

/**
 * Makes the page from the document, and from the style and the script in a folder. All of it is in one file, so that a
 * browser needs no second request.
 *
 * @throws Error if the style or the script is missing or has a mistake, or if the style would break the page.
 */
export function makePage(document: Document, folder = 'docs/page'): string {
  const { info } = document;
  const sections = sectionsOf(document);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const scheme = operations.map((operation) => tokenScheme(operation, document)).find(Boolean);
  const parts = {
    HAS_FILTER: sections.length >= MANY,
    HAS_TOKEN: scheme !== undefined,
  };
  const page = html`
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="description" content="${info.description.replaceAll('`', '')}">
    <title>${info.title}</title>
    <link rel="icon" href="${ICON}">
    <style>${inStyle(`${folder}/style.css`)}</style>
    </head>
    <body>
    <header>
      <h1>${info.title} <small>${info.version}</small></h1>
      <p>${sentence(info.description)}</p>
      <p class="documents">Description: <a href="v1/swagger.json">Swagger 2.0</a>, <a href="v1/openapi.json">OpenAPI 3.1</a></p>
    </header>
    <main>
      <noscript><p>Scripts are off: all of the description is here, but nothing can be tried out.</p></noscript>
      ${scheme && tokenField(scheme)}
      ${parts.HAS_FILTER && finder(sections)}
      ${sections.map(({ tag, operations }) => html`<section><h2 id="tag-${tag}">${tag}</h2>${operations}</section>`)}
      ${errorsOf(document)}
      ${modelsOf(document)}
    </main>
    ${controls()}
    <script>${inScript(`${folder}/browser/main.ts`, parts)}</script>
    </body>
    </html>`;
  return page.text;
}

const ICON = `data:image/svg+xml,${"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='3' fill='#0b6e4f'/><path d='M6 4L2.5 8 6 12M10 4l3.5 4-3.5 4' fill='none' stroke='#fff' stroke-width='1.6'/></svg>".replace(
  /[<># ]/g,
  encodeURIComponent,
)}`;

/** From this number of tags on, the page has a filter. */
const MANY = 3;

function finder(sections: readonly Section[]): Html {
  return html`
    <search>
      <label for="filter">Filter</label> <input type="search" id="filter" placeholder="method, path or words">
      <span class="said" aria-live="polite"></span>
      <nav aria-label="Tags">${sections.map(({ tag }) => html`<a href="#tag-${encodeURIComponent(tag)}">${tag}</a> `)}</nav>
    </search>`;
}

/**
 * The script sends the token, and keeps it nowhere. If the service knows where people sign in, it puts that into the
 * button.
 */
function tokenField({ description = '' }: SecurityScheme): Html {
  // What follows is for tools that send the field as it was typed.
  const [whose] = description.split(/(?<=\.) /);
  return html`
    <div class="field row token">
      <label for="token"><b>Token</b></label>
      <input type="password" id="token" autocomplete="off" spellcheck="false" aria-describedby="token-error token-about">
      <button type="button" id="sign-in" hidden>Sign in</button>
      <span class="said" aria-live="polite"></span>
      <p class="about" id="token-about">${sentence(whose)} Sent in Authorization, as a bearer token. It is kept nowhere: a reload empties the field.</p>
      <p class="error" id="token-error"></p>
    </div>`;
}

function modelsOf({ definitions }: Document): Content {
  const models = Object.entries(definitions).map(
    ([name, definition]) => html`
      <details id="model-${name}">
        <summary><h3>${name} model</h3></summary>
        <div>
          <p>${sentence(definition.description)}</p>
          ${definition.properties && membersOf(definition.properties, definition.required as readonly string[])}
          ${jsonBlock(exampleOf(definition, definitions), 'Example')}
        </div>
      </details>`,
  );
  return html`<section><h2 id="models">Models</h2>${models}</section>`;
}

/** Escapes what could end a script element or open a comment in it, as the HTML standard recommends (4.12.1.3). */
function inScript(file: string, parts: Readonly<Record<string, boolean>>): Html {
  return verbatim(bundle(file, parts).replace(/<(?=!--|\/?script)/gi, '\\x3C'));
}

function inStyle(file: string): Html {
  const style = bundle(file);
  if (/<\/style/i.test(style)) throw new Error(`${file} can't stand inside a page: it would end its element`);
  return verbatim(style);
}

function bundle(file: string, parts: Readonly<Record<string, boolean>> = {}): string {
  const { outputFiles } = buildSync({
    entryPoints: [file],
    define: Object.fromEntries(Object.entries(parts).map(([name, isThere]) => [name, String(isThere)])),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
  });
  return outputFiles.map(({ text }) => text).join('');
}
