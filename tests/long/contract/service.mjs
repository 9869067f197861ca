// The service and its documents, for other people's tools.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

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
 * Starts the last build of the service, behind a small gateway. serverless-offline would not do: it gives a 304 a Content-Type,
 * and Prism then fails to parse the missing content.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} Its URL, and a function that stops it.
 */
export async function startService() {
  process.env.LOG_LEVEL = 'silent';
  const { handler } = await import(`${root}dist/api.mjs`);
  const server = createServer(async (request, response) => {
    const { statusCode, headers, body, isBase64Encoded } = await handler(eventOf(request, await buffer(request)));
    response.writeHead(statusCode, headers).end(Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${server.address().port}`, stop };
}

/** Makes the event of an HTTP API, in its payload format 2.0. */
function eventOf({ method, url, headers }, content) {
  const { pathname, search, searchParams } = new URL(url, 'http://localhost');
  return {
    version: '2.0',
    rawPath: pathname,
    rawQueryString: search.slice(1),
    queryStringParameters: Object.fromEntries(searchParams),
    headers,
    requestContext: { http: { method, path: pathname }, stage: '$default', requestId: randomUUID() },
    ...(content.length > 0 && { body: content.toString('base64') }),
    isBase64Encoded: content.length > 0,
  };
}
