// Runs other people's tools on the description documents: npm run contract, or npm run contract -- lint for one part.
import { documents, documentsWithTokens, runTool } from './service.mjs';

const parts = {
  lint,
  proxy: async () => (await import('./proxy.mjs')).check(),
  postman: async () => (await import('./postman.mjs')).check(),
  clients: async () => (await import('./clients.mjs')).check(),
};
const wanted = process.argv.slice(2);
for (const part of wanted.length > 0 ? wanted : Object.keys(parts)) {
  if (!parts[part]) throw new Error(`There is no part "${part}": there are ${Object.keys(parts).join(', ')}`);
  console.log(`${part}: ${await parts[part]()}`);
}

/** Runs Spectral and Redocly on both documents. Even a warning is an error. */
function lint() {
  for (const document of [...Object.values(documents), ...Object.values(documentsWithTokens)]) {
    runTool('spectral', ['lint', '--ruleset', '.spectral.yml', '--fail-severity', 'hint', document]);
    runTool('redocly', ['lint', '--config', 'redocly.yaml', '--max-problems', '1000', document]);
  }
  return 'Spectral and Redocly find no fault in either document, with tokens or without';
}
