import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const built = pathToFileURL('dist/api.mjs').href;

/** Jest's transform, with the build's compiler. In our code, `import.meta.url` is that of the built file, beside its assets. */
export default {
  process: (source, path) => {
    const url = path.includes('node_modules') ? pathToFileURL(path).href : built;
    const result = transformSync(source, {
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node20.19',
      // Jest has no import() in scripts, so it becomes a require.
      supported: { 'dynamic-import': false },
      sourcemap: 'inline',
      // In a file called .mjs, a default import would give all exports of a module that has been transformed.
      sourcefile: path.replace(/\.mjs$/, '.js'),
      define: { 'import.meta.url': JSON.stringify(url) },
    });
    // Where there are only types, nothing is left to be covered. What the compiler adds would count as a line that no test runs.
    return /__export\(|require\(/.test(result.code) ? result : { code: `/* istanbul ignore file */\n${result.code}` };
  },
};
