import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';

const dist = pathToFileURL('dist/api.mjs').href;

/** Jest's transform: the same compiler as the build's; `import.meta.url` is that of the built file, beside its assets. */
export default {
  process: (source, path) =>
    transformSync(source, {
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      format: 'cjs',
      target: 'node20.19',
      sourcemap: 'inline',
      sourcefile: path,
      define: { 'import.meta.url': JSON.stringify(dist) },
    }),
};
