import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const document = JSON.stringify(JSON.parse(readFileSync(`${here}../../docs/swagger.json`, 'utf8')));

/** What is measured, by name: a bundle each, and the environment that it runs in. */
export const implementations = {
  bare: { file: `${here}dist/bare.mjs` },
  'bare+': { file: `${here}dist/bare-plus.mjs` },
  ours: { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'silent' } },
  'ours, logging': { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'info' } },
  middy: { file: `${here}dist/middy.mjs` },
  Powertools: { file: `${here}dist/powertools.mjs` },
  Hono: { file: `${here}dist/hono.mjs` },
  Fastify: { file: `${here}dist/fastify.mjs` },
  Express: { file: `${here}dist/express.mjs` },
};

/** Bundles the peers just as the build bundles ours, so that cold starts compare. */
export async function buildPeers() {
  await bundle(['bare', 'bare-plus', 'middy', 'powertools', 'hono']);
  // What these two are made of asks for Node.js's modules by require, which a bundle of ES modules has to bring along.
  const requires = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await bundle(['fastify', 'express'], requires);
}

function bundle(names, banner = '') {
  return build({
    absWorkingDir: here,
    entryPoints: names.map((name) => `peers/${name}.mjs`),
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
    define: {
      DOCUMENT: JSON.stringify(document),
      DOCUMENT_TAG: JSON.stringify(`"${createHash('sha256').update(document).digest('base64url')}"`),
    },
  });
}
