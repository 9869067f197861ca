const { once } = require('node:events');
const { createServer } = require('node:net');

/**
 * Chooses the ports on which serverless-offline listens, and checks that they are free.
 *
 * @param {{ host?: string, httpPort?: string, lambdaPort?: string }} options - Those of the command line, which come first.
 * @param {{ host: string, httpPort: number, lambdaPort: number }} configured - Those of serverless.yml. If nobody names another
 *   `lambdaPort`, it is the first of the ports that is tried: nobody types it, so any will do.
 * @param {string | undefined} variable - The value of `PORT`, another name for `--httpPort`.
 * @returns {Promise<{ httpPort: number, lambdaPort: number }>} The ports.
 * @throws Error that says what to do, if the service can't listen on a port.
 */
async function choosePorts(options, configured, variable) {
  const host = options.host ?? configured.host;
  const httpPort = await checkPort('httpPort', options.httpPort ?? (variable || configured.httpPort), host);
  const lambdaPort =
    options.lambdaPort === undefined
      ? await freePort(configured.lambdaPort, host)
      : await checkPort('lambdaPort', options.lambdaPort, host);
  return { httpPort, lambdaPort };
}

/**
 * Finds a free port.
 *
 * @param {number} wanted - The port to try first; any port if left out.
 * @param {string} host - The address on which it must be free.
 * @returns {Promise<number>} That port, or one of the hundred above it.
 */
async function freePort(wanted = 0, host = '127.0.0.1') {
  for (let port = wanted; port <= wanted + 100; port++) {
    try {
      return await tryPort(port, host);
    } catch {
      // It is taken.
    }
  }
  throw new Error(`No port from ${wanted} to ${wanted + 100} is free.`);
}

module.exports = { choosePorts, freePort };

async function checkPort(option, named, host) {
  const port = Number(named);
  if (!/^\d+$/.test(named) || port === 0 || port > 65_535) {
    throw new Error(`The port is "${named}": it takes a number from 1 to 65535, as in ${commandWith(option, 4000)}`);
  }
  await tryPort(port, host).catch(async ({ code }) => {
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be opened (${code})`;
    const other = commandWith(option, await freePort(Math.max(port, 3000), host));
    throw new Error(`Port ${port} ${reason}. To start on another one: ${other}`);
  });
  return port;
}

function commandWith(option, port) {
  const { npm_lifecycle_event: script } = process.env;
  const command = { start: 'npm start --', dev: 'npm run dev --', local: 'npm run local --' }[script];
  return `${command ?? 'npx serverless offline'} --${option} ${port}`;
}

/** Listens on a port for a moment, 0 for any. Returns the port, or throws Node.js's error if it can't listen. */
async function tryPort(wanted, host) {
  const server = createServer().listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
