// Makes clients as somebody does who was given the address of a stage: of the 3.1 document that is served there, by four generators.
// Each calls the service without being told where it is. The server answers 403 to every path outside the stage.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString } from 'openapi-typescript';
import { generate } from 'orval';
import { restUnder } from '../../support/gateways/gateways.ts';
import { matchesDeployed } from '../../support/service/deployed.ts';
import { serve } from '../../support/service/serve.ts';
import { callThrough } from '../../support/service/service.ts';

/**
 * Generates the clients into the folder `generated/staged`.
 *
 * @returns The service behind the stage, which the clients call.
 */
export async function generateStaged() {
  mkdirSync('generated/staged');
  process.env.LOG_LEVEL = 'silent';
  const { handler } = await import('../../../dist/api.cjs');
  const service = await serve(callThrough(restUnder('/live'), handler, matchesDeployed));
  const address = `${service.url}/swagger/v1/openapi.json`;
  const heyApi = ['@hey-api/client-fetch', '@hey-api/typescript'];
  for (const [name, plugins] of [
    ['hey-api', [...heyApi, '@hey-api/sdk']],
    ['hey-api-zod', [...heyApi, 'zod', { name: '@hey-api/sdk', validator: true }]],
  ]) {
    const output = { path: `generated/staged/${name}`, importFileExtension: '.js' };
    await createClient({ input: address, output, plugins, logs: { level: 'silent' } });
  }
  const document = await (await fetch(address)).json();
  writeFileSync('generated/staged/openapi-typescript.ts', astToString(await openapiTS(document)));
  writeFileSync(
    'generated/staged/servers.ts',
    `export const [{ url }] = ${JSON.stringify(document.servers)} as const;\n`,
  );
  const target = 'generated/staged/orval.ts';
  const baseUrl = { getBaseUrlFromSpecification: true };
  await generate({ input: { target: address }, output: { baseUrl, client: 'fetch', target } });
  return service;
}
