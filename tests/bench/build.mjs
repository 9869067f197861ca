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

/** The service on a table, and the same with AWS's SDK. */
export const ours = implementations.ours.file;
export const sdk = `${here}dist/sdk.cjs`;

/** A handler that does nothing. */
export const empty = `${here}dist/empty.cjs`;

const PEERS = ['bare', 'bare-plus', 'middy', 'powertools', 'hono', 'fastify', 'express', 'sdk', 'empty'];

/** Bundles the peers, in the format that AWS's own tools choose, and the runtime tests' execution environment. */
export function buildPeers() {
  return build({
    absWorkingDir: here,
    entryPoints: [...PEERS.map((name) => `peers/${name}.mjs`), '../runtime/environment.ts'],
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
