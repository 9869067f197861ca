import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const document = `${here}../../docs/swagger.json`;

/** What is measured, by name: a bundle each, and the environment that it runs in. */
export const implementations = {
  ours: { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'silent' } },
  'ours, logging': { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'info' } },
  bare: { file: `${here}dist/bare.mjs` },
  middy: { file: `${here}dist/middy.mjs` },
  Powertools: { file: `${here}dist/powertools.mjs` },
  Hono: { file: `${here}dist/hono.mjs` },
  Fastify: { file: `${here}dist/fastify.mjs` },
  Express: { file: `${here}dist/express.mjs` },
};

/** Ours again, with a choice of how many routes. */
export const many = `${here}dist/many.mjs`;

/** Bundles the peers and the many routes just as the build bundles ours, so that cold starts compare. */
export async function buildPeers() {
  const names = ['bare', 'middy', 'powertools', 'hono', 'many'];
  await bundle(names.map((name) => `peers/${name}.mjs`));
  // What these two are made of asks for Node.js's modules by require, which a bundle of ES modules has to bring along.
  const requires = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await bundle(['peers/fastify.mjs', 'peers/express.mjs'], requires);
}

function bundle(entryPoints, banner = '') {
  return build({
    absWorkingDir: here,
    entryPoints,
    entryNames: '[name]',
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    banner: { js: banner },
    define: { DOCUMENT: existsSync(document) ? readFileSync(document, 'utf8') : '{}' },
  });
}
