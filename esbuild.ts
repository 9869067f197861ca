// `npm run build` builds dist/, which serverless-offline, the tests and the package all use.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { makeServiceAssets } from './docs/service-assets.js';

/**
 * Builds the service.
 *
 * @param folder - The folder to build; what was in it is removed.
 * @param changed - Options of esbuild that differ from those of a deployment.
 * @throws Error if the code doesn't compile; esbuild has printed where.
 */
export async function buildService(folder: string, changed: BuildOptions = {}): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const options = { ...OPTIONS, outdir: folder, ...changed };
  const { metafile } = await build({ ...options, entryPoints: ['functions/api.ts', ...LOADED_LATER], metafile: true });
  await writeFile(`${folder}/LICENSES.txt`, await licencesOf(Object.keys(metafile.inputs)));
  for (const [name, response] of Object.entries(makeServiceAssets())) {
    await mkdir(dirname(`${folder}/${name}`), { recursive: true });
    await writeFile(`${folder}/${name}.json`, JSON.stringify(response));
  }
}

/**
 * Prints why the service could not be built, in a sentence if the developer can mend it.
 *
 * @param error - What {@link buildService} has thrown.
 */
export function explainFailure(error: NodeJS.ErrnoException & { readonly errors?: unknown }): void {
  // esbuild has printed what is wrong with the code.
  if (error.errors) return;
  const isDenied = ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(error.code));
  const cure = 'make the folder your own, or copy the project to one that is.';
  console.error(isDenied ? `The build can't be written here (${error.message}): ${cure}` : error);
}

/** The licences of the packages that files are from: they ask for a copy wherever their code is. */
async function licencesOf(files: readonly string[]): Promise<string> {
  const packages = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? '');
  const texts = [...new Set(packages)].filter(Boolean).map(async (folder) => {
    const [licence] = (await readdir(folder)).filter((name) => /^licen[cs]e/i.test(name));
    if (!licence) throw new Error(`${folder} has no licence`);
    return `${basename(folder)}\n\n${(await readFile(`${folder}/${licence}`, 'utf8')).trim()}\n`;
  });
  return (await Promise.all(texts)).sort().join(`\n${'-'.repeat(72)}\n\n`);
}

const LOADED_LATER = ['log/stack', 'log/terminal', 'openid/authenticator', 'store/table'].map(
  (name) => `shared/${name}.ts`,
);

// Code that is imported only when it is needed gets a file of its own. esbuild's splitting would put what both files need
// into a third file, which every cold start would have to read.
const externalDynamicImports: Plugin = {
  name: 'external-dynamic-imports',
  setup({ onResolve }) {
    onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = relative('.', join(resolveDir, path)).replaceAll('\\', '/').replace(/\.js$/, '.ts');
      if (LOADED_LATER.includes(file)) return { path: `./${basename(file, '.ts')}.mjs`, external: true };
      const text = `${file} is loaded later, but gets no file of its own: add it to LOADED_LATER in esbuild.ts`;
      return { errors: [{ text }] };
    });
  },
};

// Gets Node.js's own modules without `import`, which loads all of their exports first: for node:http, that takes 30 ms.
const builtin: Plugin = {
  name: 'builtin',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^[\w:/]+$/ }, async ({ importer, kind, path }) => {
      if (!isBuiltin(path)) return undefined;
      const name = path.replace(/^(node:)?/, 'node:');
      const names = kind === 'import-statement' && namesImported(await readFile(importer, 'utf8'), path);
      return names
        ? { path: name, namespace: 'builtin', suffix: `?${names}` }
        : { path: name, namespace: 'builtin-whole' };
    });
    onLoad({ filter: /^/, namespace: 'builtin' }, ({ path, suffix }) => {
      const names = suffix.slice(1).split(',').filter(Boolean);
      const exports = names.map((name) => `export const ${name} = /* @__PURE__ */ (() => whole.${name})();`);
      const whole = `const whole = process.getBuiltinModule('${path}');\nexport default whole;`;
      return { contents: [whole, ...exports].join('\n') };
    });
    onLoad({ filter: /^/, namespace: 'builtin-whole' }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule('${path}')`,
    }));
  },
};

/**
 * Lists the names that a file imports from a module; undefined if it imports all of it. A list of all that Node.js exports would
 * differ between its releases, and so would the build.
 */
function namesImported(source: string, path: string): readonly string[] | undefined {
  if (new RegExp(`\\*\\s*as\\s+\\w+\\s+from\\s*['"]${path}['"]`).test(source)) return undefined;
  const imports = source.matchAll(new RegExp(`\\{([^{}]*)\\}\\s*from\\s*['"]${path}['"]`, 'g'));
  const names = Array.from(imports, ([, list = '']) => list.split(',')).flat();
  const exported = names.map((name) => name.trim().replace(/\s+as\s.*/s, ''));
  // The default is there already, and types are gone from the code.
  return [...new Set(exported)].filter((name) => !/^(default|type\s.*)?$/s.test(name)).sort();
}

const OPTIONS: BuildOptions = {
  entryNames: '[name]',
  plugins: [externalDynamicImports, builtin],
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  minify: true,
  legalComments: 'none',
  // The source map is beside the code, which does not name it. shared/log/stack.ts reads it when an error is logged.
  sourcemap: 'external',
  sourcesContent: false,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await buildService('dist');
    if (!process.argv.includes('--quiet')) await printSizes();
  } catch (error) {
    explainFailure(error as Error);
    process.exitCode = 1;
  }
}

async function printSizes(): Promise<void> {
  console.log('     bytes    zipped  file');
  for (const name of (await readdir('dist', { recursive: true })).filter((name) => name.includes('.')).sort()) {
    const content = await readFile(`dist/${name}`);
    const sizes = [content.length, deflateRawSync(content).length].map((size) => String(size).padStart(10));
    console.log(`${sizes.join('')}  dist/${name}`);
  }
}
