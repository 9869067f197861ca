import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const document = JSON.stringify(JSON.parse(readFileSync(`${here}../../docs/swagger.json`, 'utf8')));

/** What is measured, by name: a bundle each, and the environment that it runs in. */
export const implementations = {
  bare: { file: `${here}dist/bare.cjs` },
  'bare+': { file: `${here}dist/bare-plus.cjs` },
  ours: { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'silent' } },
  'ours, logging': { file: `${here}../../dist/api.mjs`, environment: { LOG_LEVEL: 'info' } },
  middy: { file: `${here}dist/middy.cjs` },
  Powertools: { file: `${here}dist/powertools.cjs` },
  Hono: { file: `${here}dist/hono.cjs` },
  Fastify: { file: `${here}dist/fastify.cjs` },
  Express: { file: `${here}dist/express.cjs` },
};

/** Bundles the peers, in the format that AWS's own tools choose. */
export function buildPeers() {
  return build({
    absWorkingDir: here,
    entryPoints: ['bare', 'bare-plus', 'middy', 'powertools', 'hono', 'fastify', 'express'].map(
      (name) => `peers/${name}.mjs`,
    ),
    entryNames: '[name]',
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    define: {
      DOCUMENT: JSON.stringify(document),
      DOCUMENT_TAG: JSON.stringify(`"${createHash('sha256').update(document).digest('base64url')}"`),
    },
  });
}
