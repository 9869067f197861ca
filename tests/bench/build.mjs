import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const service = fileURLToPath(new URL('../../dist', import.meta.url));

/** Those that have none of the service's duties but validation and 404. */
export const FRAMEWORKS = ['middy', 'Powertools', 'Hono', 'Fastify', 'Express'];

/** The bundle of each implementation, by its name. */
export const FILES = {
  bare: `${here}dist/bare.cjs`,
  'bare+': `${here}dist/bare-plus.cjs`,
  ours: `${service}/api.mjs`,
  middy: `${here}dist/middy.cjs`,
  Powertools: `${here}dist/powertools.cjs`,
  Hono: `${here}dist/hono.cjs`,
  Fastify: `${here}dist/fastify.cjs`,
  Express: `${here}dist/express.cjs`,
};

/** The one that keeps its items in a table, with AWS's SDK. */
export const SDK = `${here}dist/sdk.cjs`;

/** Bundles all but the service, in the format that AWS's own tools choose: an ES module that imports `node:http` pays 30 ms. */
export function buildPeers() {
  return build({
    absWorkingDir: here,
    entryPoints: ['bare', 'bare-plus', 'middy', 'powertools', 'hono', 'fastify', 'express', 'sdk'].map(
      (name) => `peers/${name}.mjs`,
    ),
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: { ASSETS: JSON.stringify(service) },
  });
}

/** Weighs the code that a cold start reads, in kilobytes when gzipped. */
export function sizeOf(file) {
  return gzipSync(readFileSync(file)).length / 1000;
}

/** Weighs the page as it is sent and what is deployed, in kilobytes: the function's files as a zip has them. */
export function deployedSizes() {
  const page = Buffer.from(JSON.parse(readFileSync(`${service}/page.gzip.json`, 'utf8')).body, 'base64').length;
  const files = readdirSync(service).map((name) => deflateRawSync(readFileSync(`${service}/${name}`)).length);
  return { page: page / 1000, zip: files.reduce((sum, size) => sum + size, 0) / 1000 };
}
