import { readFile } from 'node:fs/promises';
import { ISSUER_PLACEHOLDER } from '../functions/placeholders.js';
import { resourceRoutes } from '../functions/routes.js';
import type { Response } from '../shared/http/message.js';
import { makeAssets } from './generator/assets.js';
import { toSwagger2 } from './generator/swagger2.js';
import { withTokens } from './generator/with-tokens.js';
import { makePage } from './page/markup/page.js';

/**
 * Makes the documents and the page as responses, by the name of the file that each gets in a build, without its ending.
 *
 * @throws Error if a document is not JSON, or the page's style or script has a mistake.
 */
export async function makeServiceAssets(): Promise<Readonly<Record<string, Response<200>>>> {
  const document = await readDocument('docs/swagger.json');
  const openapi = await readDocument('docs/openapi.json');
  const asking = withTokens(JSON.parse(openapi), resourceRoutes, ISSUER_PLACEHOLDER);
  // That page is compressed when the service has completed it.
  const { 'page.gzip': _, ...withoutGzip } = assetsOf(JSON.stringify(toSwagger2(asking)), JSON.stringify(asking));
  const askingAssets = Object.entries(withoutGzip).map(([name, response]) => [`with-tokens/${name}`, response]);
  return { ...assetsOf(document, openapi), ...Object.fromEntries(askingAssets) };
}

async function readDocument(file: string): Promise<string> {
  const text = await readFile(file, 'utf8');
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is not valid JSON (${(error as Error).message}): npm run docs generates it anew.`);
  }
  return text;
}

function assetsOf(document: string, openapi: string): Readonly<Record<string, Response<200>>> {
  return makeAssets(document, openapi, makePage(JSON.parse(document)));
}
