import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { here, root } from './tool.mjs';

/**
 * Starts the service as the build has made it, behind a small gateway. serverless-offline would do, but it gives a 304 a
 * Content-Type, and Prism then fails to parse the content that is not there.
 *
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} Where it is, and how to stop it.
 */
export async function startService() {
  process.env.LOG_LEVEL = 'silent';
  const { handler } = await import(`${root}dist/api.mjs`);
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const { statusCode, headers, body, isBase64Encoded } = await handler(eventOf(request, Buffer.concat(chunks)));
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

/** As an HTTP API has it, in its payload format 2.0. */
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

/**
 * Starts Prism between callers and the service. It passes everything on, and says in a header field of each answer what
 * the 3.1 document does not allow.
 *
 * @param {string} document - The path of the document.
 * @param {string} upstream - Where the service is.
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>} As for the service.
 */
export async function startProxy(document, upstream) {
  const port = await freePort();
  const command = [`${here}../node_modules/@stoplight/prism-cli/dist/index.js`, 'proxy', document, upstream];
  const prism = spawn(process.execPath, [...command, '--port', String(port)], { cwd: here });
  let printed = '';
  await new Promise((resolve, reject) => {
    const read = (text) => {
      printed += text;
      if (printed.includes('Prism is listening')) resolve();
    };
    prism.stdout.on('data', read);
    prism.stderr.on('data', read);
    prism.on('exit', () => reject(new Error(`Prism ended:\n${printed}`)));
  });
  const stop = async () => {
    prism.kill();
    await once(prism, 'exit');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
