import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { deflateRawSync, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const here = fileURLToPath(new URL('.', import.meta.url));
const service = fileURLToPath(new URL('../../dist', import.meta.url));

/** Of the service's duties, these have only validation and 404. */
export const FRAMEWORKS = ['middy', 'Powertools', 'Hono', 'Fastify', 'Express'];

/** The bundle of each implementation, by its name. */
export const FILES = {
  bare: `${here}dist/bare.cjs`,
  'bare+': `${here}dist/bare-plus.cjs`,
  ours: `${service}/api.mjs`,
  ...Object.fromEntries(FRAMEWORKS.map((name) => [name, `${here}dist/${name.toLowerCase()}.cjs`])),
};

/** The handler that keeps its items in a table with AWS's SDK. */
export const SDK = `${here}dist/sdk.cjs`;

/** Bundles all but the service as CommonJS, as AWS's own tools do: importing `node:http` takes an ES module 30 ms. */
export async function buildPeers() {
  for (const name of ['bare', 'bare-plus', 'sdk']) await bundle(name, `export { handler } from './peers/${name}.mjs'`);
  for (const name of FRAMEWORKS.map((name) => name.toLowerCase())) {
    await bundle(name, `import { ${name} } from './peers/frameworks.mjs'; export const handler = ${name}()`);
  }
}

function bundle(name, contents) {
  return build({
    stdin: { contents, resolveDir: here },
    outfile: `${here}dist/${name}.cjs`,
    plugins: [onlyWhatIsUsed],
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

/** Leaves the other frameworks out of a bundle: without this, esbuild keeps all that frameworks.mjs imports. */
const onlyWhatIsUsed = {
  name: 'only-what-is-used',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[@\w]/ }, async ({ path, importer, kind, resolveDir, pluginData }) => {
      if (pluginData || !importer.endsWith('frameworks.mjs')) return undefined;
      return { ...(await resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' })), sideEffects: false };
    });
  },
};

/** Measures the code that a cold start reads: kilobytes when gzipped. */
export function sizeOf(file) {
  return gzipSync(readFileSync(file)).length / 1000;
}

/** Measures the page as it is sent where nobody signs in, and all of the function's files as a zip has them, in kilobytes. */
export function deployedSizes() {
  const page = Buffer.from(JSON.parse(readFileSync(`${service}/page.gzip.json`, 'utf8')).body, 'base64').length;
  const names = readdirSync(service, { recursive: true }).filter((name) => name.includes('.'));
  const files = names.map((name) => deflateRawSync(readFileSync(`${service}/${name}`)).length);
  return { page: page / 1000, zip: files.reduce((sum, size) => sum + size, 0) / 1000 };
}
