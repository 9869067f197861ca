const { once } = require('node:events');
const { createServer } = require('node:net');

/**
 * Checks that the service can listen on a port.
 *
 * @param {string | number} named - The port, as `--httpPort`, `PORT` or serverless.yml names it.
 * @param {string} host - The address on which the service listens.
 * @returns {Promise<number>} The port.
 * @throws Error that says what to do, if it is no port, or the service can't listen on it.
 */
async function checkPort(named, host) {
  const port = Number(named);
  if (!/^\d+$/.test(named) || port === 0 || port > 65_535) {
    throw new Error(`The port is "${named}": it takes a number from 1 to 65535, as in ${commandWith(4000)}`);
  }
  await tryPort(port, host).catch(async ({ code }) => {
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be opened (${code})`;
    throw new Error(`Port ${port} ${reason}. To start on another one: ${commandWith(await freePort(port, host))}`);
  });
  return port;
}

/**
 * Finds a free port.
 *
 * @param {number} wanted - The port to try first; any port if left out.
 * @param {string} host - The address on which it must be free.
 * @returns {Promise<number>} That port, or one of the hundred above it that anybody may listen on.
 */
async function freePort(wanted = 0, host = '127.0.0.1') {
  const first = wanted > 0 && wanted < 1024 ? 3000 : wanted;
  for (let port = first; port <= first + 100; port++) {
    try {
      return await tryPort(port, host);
    } catch {
      // It is taken.
    }
  }
  throw new Error(`No port from ${first} to ${first + 100} is free.`);
}

module.exports = { checkPort, freePort };

function commandWith(port) {
  const { npm_lifecycle_event: script } = process.env;
  const command = { start: 'npm start --', dev: 'npm run dev --', local: 'npm run local --' }[script];
  return `${command ?? 'npx serverless offline'} --httpPort ${port}`;
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
