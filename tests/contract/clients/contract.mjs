// Runs other people's tools: linters on all documents, then generators of clients on both. The clients call the service through
// a proxy that compares every request and answer with the 3.1 document. The documents are those of a service that asks for tokens.
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { generateApi } from 'swagger-typescript-api';
import { freePort } from '../../support/free-port.ts';
import { gateways } from '../../support/gateways/gateways.ts';
import { startDeployed } from '../../support/service/deployed.ts';
import { serve } from '../../support/service/serve.ts';
import { generateStaged } from './staged.mjs';

process.chdir(import.meta.dirname);
rmSync('generated', { recursive: true, force: true });
mkdirSync('generated');
cpSync('staged-clients.ts', 'generated/staged-clients.ts');
// The build has put these documents into responses.
for (const name of ['document', 'openapi'])
  writeFileSync(`generated/${name}.json`, JSON.parse(readFileSync(`../../../dist/with-tokens/${name}.json`)).body);

const documents = [
  '../../../docs/swagger.json',
  '../../../docs/openapi.json',
  'generated/document.json',
  'generated/openapi.json',
];
for (const document of documents) {
  runTool(`spectral lint --ruleset .spectral.yml --fail-severity hint ${document}`);
  runTool(`redocly lint --config redocly.yaml --max-problems 1000 ${document}`);
}
console.log('Spectral and Redocly find no fault in either document, with tokens or without.');

/** What makes a client of a document in a folder, by the name of the file that calls with it. */
const generators = {
  'hey-api': (input, folder) =>
    createClient({
      input,
      output: { path: folder, importFileExtension: '.js' },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    }),
  orval: (input, folder) =>
    generate({ input: { target: input }, output: { client: 'fetch', target: `${folder}/api.ts` } }),
  'swagger-typescript-api': (input, folder) => generateApi({ input, output: folder, fileName: 'api.ts', silent: true }),
  'openapi-fetch': async (input, folder) => {
    mkdirSync(folder);
    writeFileSync(`${folder}/paths.ts`, astToString(await openapiTS(JSON.parse(readFileSync(input)))));
  },
};
const calling = [];
for (const document of ['openapi', 'document']) {
  mkdirSync(`generated/${document}`);
  for (const [name, make] of Object.entries(generators)) {
    // openapi-typescript takes OpenAPI 3 only.
    if (document === 'document' && name === 'openapi-fetch') continue;
    await make(`./generated/${document}.json`, `${import.meta.dirname}/generated/${document}/${name}`);
    cpSync(`${name}.ts`, `generated/${document}/${name}.ts`);
    calling.push(`${document}/${name}`);
  }
}
const stage = await generateStaged();
const language = '--strict --module nodenext --target es2022 --lib es2022,dom,dom.iterable --skipLibCheck';
const sources = [...calling, 'staged-clients'].map((name) => `generated/${name}.ts`).join(' ');
runTool(`tsc ${sources} --outDir generated/compiled --rootDir generated ${language}`);

// serverless-offline would not do: it gives a 304 a Content-Type, and Prism then fails to parse the missing content.
const service = await serve(startDeployed(gateways.find(({ name }) => name === 'an HTTP API')));
const port = String(await freePort(4010));
const prism = ['../node_modules/@stoplight/prism-cli/dist/index.js', 'proxy', 'generated/openapi.json', service.url];
const proxy = spawn(process.execPath, [...prism, '--errors', '--port', port], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
proxy.once('exit', () => process.exit(1));
process.once('exit', () => proxy.kill());
const url = `http://127.0.0.1:${port}`;
while (!(await fetch(url).catch(() => undefined))) await setTimeout(100);
for (const name of calling) {
  const { callAll } = await import(`./generated/compiled/${name}.js`);
  await callAll(url, 'the-token').catch((error) => {
    throw new Error(`The client ${name} fails`, { cause: error });
  });
}
console.log(`Clients compile strictly, and call all six operations as Prism and they expect: ${calling.join(', ')}.`);
// Clients of a page call relative URLs; this is the page's origin.
globalThis[Symbol.for('undici.globalOrigin.1')] = new URL(stage.url);
const { stagedClients } = await import('./generated/compiled/staged-clients.js');
for (const call of Object.values(stagedClients)) await call();
console.log(`Clients made from the document of a stage call the stage: ${Object.keys(stagedClients).join(', ')}.`);
process.exit();

/** Runs a command that is installed in tests/contract, and shows what it has printed if it fails. */
function runTool(command) {
  const [name, ...options] = command.split(' ');
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const { status, stdout, stderr } = spawnSync(`../node_modules/.bin/${name}`, options, { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`${command} failed:\n${stdout}${stderr}`);
}
