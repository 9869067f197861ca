import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { parseArgs } from 'node:util';

/**
 * Chooses the port of the service, and checks that it is free.
 *
 * @param options - Options of serverless-offline. `--httpPort` comes before the variable.
 * @param variable - The value of `PORT`.
 * @returns The port, by default 3000, and the options with the ports that serverless-offline needs.
 * @throws Error that says what to do, if the service can't listen on the port.
 */
export async function choosePort(
  options: readonly string[],
  variable: string | undefined,
): Promise<{ port: number; options: readonly string[] }> {
  const { values } = parseArgs({ args: [...options], options: PORTS, strict: false });
  const named = String(values.httpPort ?? (variable || 3000));
  const port = Number(named);
  if (!/^\d+$/.test(named) || port === 0 || port > 65_535) {
    throw new Error(`The port is "${named}": it takes a number from 1 to 65535, as in ${commandWith(4000)}`);
  }
  await tryPort(port).catch(async ({ code }: NodeJS.ErrnoException) => {
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be opened (${code})`;
    const other = commandWith(await freePort(Math.max(port, 3000)));
    throw new Error(`Port ${port} ${reason}. To start on another one: ${other}`);
  });
  // serverless-offline takes no option twice. Nobody calls its second port by hand, so any will do.
  const http = values.httpPort ? [] : ['--httpPort', String(port)];
  const lambda = values.lambdaPort ? [] : ['--lambdaPort', String(await freePort())];
  return { port, options: [...options, ...http, ...lambda] };
}

const PORTS = { httpPort: { type: 'string' }, lambdaPort: { type: 'string' } } as const;

function commandWith(port: number): string {
  const { npm_lifecycle_event: script = 'start' } = process.env;
  return `${script === 'start' ? 'npm start' : `npm run ${script}`} -- --httpPort ${port}`;
}

/**
 * Finds a free port.
 *
 * @param wanted - The port to try first; any port if left out.
 * @returns That port, or one of the hundred above it.
 */
export async function freePort(wanted = 0): Promise<number> {
  for (let port = wanted; port <= wanted + 100; port++) {
    try {
      return await tryPort(port);
    } catch {
      // It is taken.
    }
  }
  throw new Error(`No port from ${wanted} to ${wanted + 100} is free.`);
}

/** Listens on a port for a moment, 0 for any. Returns the port, or throws Node.js's error if it can't listen. */
async function tryPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
