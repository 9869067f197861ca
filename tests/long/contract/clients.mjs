import { deepEqual } from 'node:assert/strict';
import { copyFileSync, rmSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import { generateApi } from 'swagger-typescript-api';
import { documents, documentsWithTokens, here, runTool, startService } from './service.mjs';

/**
 * Generates a client from each document, compiles them strictly with code that calls all six operations, and runs that code
 * against the service; then the same with the documents of a service that asks for tokens.
 *
 * @returns {Promise<string>} The result in a sentence.
 * @throws {Error} if a client does not compile, gets an answer that it does not expect, or sends no token where it should.
 */
export async function check() {
  const withoutToken = await checkForm('generated/open', documents);
  const withToken = await checkForm('generated/with-tokens', documentsWithTokens);
  deepEqual([withoutToken, withToken], [[undefined], ['Bearer the-token']]);
  return 'clients generated from both documents compile strictly, call all six operations, and send a token where it is asked for';
}

/** Returns the different values of `Authorization` that the clients have sent. */
async function checkForm(name, inputs) {
  const folder = here + name;
  rmSync(folder, { recursive: true, force: true });
  await createClient({
    input: inputs['OpenAPI 3.1'],
    output: { path: `${folder}/hey-api`, importFileExtension: '.js' },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const output = `${folder}/swagger-typescript-api`;
  await generateApi({ input: inputs['Swagger 2.0'], output, fileName: 'api.ts', silent: true });
  copyFileSync(`${here}clients.ts`, `${folder}/clients.ts`);
  const language = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom,dom.iterable', '--skipLibCheck'];
  runTool('tsc', [`${name}/clients.ts`, '--outDir', `${name}/compiled`, '--rootDir', name, '--strict', ...language]);
  const { clients } = await import(`${folder}/compiled/clients.js`);
  const tokens = new Set();
  const service = await startService(({ authorization }) => tokens.add(authorization));
  try {
    for (const callAll of Object.values(clients)) await callAll(service.url, 'the-token');
  } finally {
    await service.stop();
  }
  return [...tokens];
}
