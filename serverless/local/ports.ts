import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';

/**
 * Checks that the service can listen on a port.
 *
 * @param named - As in `--httpPort`, `PORT` or serverless.yml.
 * @param isOption - Whether `--httpPort` names it, which `PORT` does not change.
 * @throws Error with what to do, if it is no port or the service can't listen on it.
 */
export async function checkPort(named: string | number, host: string, isOption = false): Promise<number> {
  const port = Number(named);
  if (!/^\d+$/.test(String(named)) || port === 0 || port > 65_535) {
    throw new Error(`The port is "${named}": it takes a number from 1 to 65535, as in ${commandWith(4000, isOption)}`);
  }
  try {
    return await tryPort(port, host);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be opened (${code})`;
    const command = commandWith(await freePort(port, host), isOption);
    throw new Error(`Port ${port} ${reason}. To start on another one: ${command}`);
  }
}

/**
 * Finds a free port.
 *
 * @param wanted - The port to try first; any port if left out.
 * @returns That port, or one of the hundred above it; none below 1024, which can need special rights.
 */
export async function freePort(wanted = 0, host = '127.0.0.1'): Promise<number> {
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

function commandWith(port: number, isOption: boolean): string {
  const { npm_lifecycle_event: script = 'npx' } = process.env;
  const npm = script === 'start' ? 'npm start' : `npm run ${script}`;
  const command = script === 'npx' ? 'npx serverless offline' : npm;
  if (!isOption) return `PORT=${port} ${command}`;
  return `${command}${script === 'npx' ? '' : ' --'} --httpPort ${port}`;
}

/** Listens for a moment. 0 means any port. */
async function tryPort(wanted: number, host: string): Promise<number> {
  const server = createServer().listen(wanted, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
