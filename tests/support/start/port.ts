import { parseArgs } from 'node:util';
import { freePort, tryPort } from './emulator.js';

/** The port where the service will listen, or why it can't. */
export interface Choice {
  readonly port: number;
  /** The options that serverless-offline needs besides those that it was given: it takes none twice. */
  readonly added: readonly string[];
  /** A sentence that says how to put it right. */
  readonly fault?: string;
}

/**
 * Chooses the port of the service, and tries it.
 *
 * @param options - Options of serverless-offline: `--httpPort` comes before the variable.
 * @param variable - What PORT is set to.
 * @returns The port, 3000 unless another one is named.
 */
export async function choosePort(options: readonly string[], variable: string | undefined): Promise<Choice> {
  const { values } = parseArgs({ args: [...options], options: PORTS, strict: false });
  const named = String(values.httpPort ?? (variable || 3000));
  const port = Number(named);
  const fault = /^\d+$/.test(named) && port > 0 && port < 65_536 ? await faultOf(port) : wrong(named);
  if (fault) return { port, added: [], fault };
  // Nobody calls the second port by hand, so any will do.
  const second = values.lambdaPort ? [] : ['--lambdaPort', String(await freePort())];
  return { port, added: values.httpPort ? second : ['--httpPort', String(port), ...second] };
}

const PORTS = { httpPort: { type: 'string' }, lambdaPort: { type: 'string' } } as const;

function wrong(named: string): string {
  return `The port is "${named}": it takes a number from 1 to 65535, as in ${moveTo(4000)}`;
}

async function faultOf(port: number): Promise<string | undefined> {
  try {
    await tryPort(port);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === 'EADDRINUSE' ? 'is taken' : `can't be opened (${code})`;
    return `Port ${port} ${reason}. To start on another one: ${moveTo(await freePort(Math.max(port, 3000)))}`;
  }
}

function moveTo(port: number): string {
  const { npm_lifecycle_event: script = 'start' } = process.env;
  return `${script === 'start' ? 'npm start' : `npm run ${script}`} -- --httpPort ${port}`;
}
