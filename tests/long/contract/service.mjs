// The service and its documents, for other people's tools.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gateways } from '../../support/gateways/gateways.ts';
import { startDeployed } from '../../support/service/deployed.ts';
import { serve } from '../../support/service/serve.ts';

/** This folder, with a slash at the end. */
export const here = fileURLToPath(new URL('.', import.meta.url));

/** The folder of the project, with a slash at the end. */
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The description documents, by their formats. */
export const documents = { 'Swagger 2.0': `${root}docs/swagger.json`, 'OpenAPI 3.1': `${root}docs/openapi.json` };

/** The same documents, as a service has them that asks for tokens. The build has put them into responses. */
export const documentsWithTokens = Object.fromEntries(
  Object.entries({ 'Swagger 2.0': 'document', 'OpenAPI 3.1': 'openapi' }).map(([format, name]) => {
    const file = `${here}../generated/${name}.json`;
    mkdirSync(`${here}../generated`, { recursive: true });
    writeFileSync(file, JSON.parse(readFileSync(`${root}dist/with-tokens/${name}.json`, 'utf8')).body);
    return [format, file];
  }),
);

/**
 * Runs a command that is installed in tests/long.
 *
 * @param {string} name - The command.
 * @param {readonly string[]} options - Its options.
 * @throws {Error} with what it has printed, if it fails.
 */
export function runTool(name, options) {
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  try {
    execFileSync(`${here}../node_modules/.bin/${name}`, options, { cwd: here, encoding: 'utf8', env, stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${name} ${options.join(' ')} failed:\n${error.stdout}${error.stderr}`);
  }
}

/**
 * Serves the service at a URL. serverless-offline would not do: it gives a 304 a Content-Type, and Prism then fails to parse the
 * missing content.
 *
 * @param {(headers: Record<string, string>) => void} see - Gets the header fields of each request.
 */
export function startService(see = () => {}) {
  const { prefix, call } = startDeployed(gateways.find(({ name }) => name === 'a function URL'));
  return serve({
    prefix,
    call(method, path, request) {
      see(request.headers);
      return call(method, path, request);
    },
  });
}
