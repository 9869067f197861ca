import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { freePort, spawnEmulator, untilReady } from './emulator.js';

/** How the service is run. */
export interface Run {
  /** Options of serverless-offline. */
  readonly options: readonly string[];
  /** Environment variables besides those that are set. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node.js. */
  readonly node?: readonly string[];
}

/**
 * Runs the service under serverless-offline until it is stopped, and prints where it is. Lines of the emulator's own are
 * left out: SLS_LOG_LEVEL=notice brings them back.
 *
 * @param run - How it is run.
 * @returns The exit code: 1 when the service can't start, after what is in its way has been printed.
 */
export async function runService({ options, environment, node }: Run): Promise<number> {
  const variables = { SLS_LOG_LEVEL: 'warning', ...process.env, ...environment };
  const { values } = parseArgs({ args: [...options], options: PORTS, strict: false });
  const httpPort = Number(values.httpPort ?? 3000);
  const fault = (await portFault(httpPort)) ?? (await configurationFault(variables));
  if (fault) {
    console.error(fault);
    return 1;
  }
  // Nobody calls the second port by hand, so any will do.
  const second = values.lambdaPort ? [] : ['--lambdaPort', String(await freePort())];
  const emulator = spawnEmulator([...options, ...second], variables, node);
  const ended = new Promise<number>((resolve) => emulator.on('exit', (code) => resolve(code ?? 0)));
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped = true;
      emulator.kill(signal);
    });
  }
  try {
    await untilReady(emulator, httpPort, (text) => process.stdout.write(text));
    emulator.stderr?.pipe(process.stderr);
    console.log(welcome(`http://localhost:${httpPort}`, variables));
  } catch (error) {
    if (!stopped) console.error((error as Error).message);
  }
  return ended;
}

const PORTS = { httpPort: { type: 'string' }, lambdaPort: { type: 'string' } } as const;

async function portFault(port: number): Promise<string | undefined> {
  const free = await freePort(port);
  if (free === port) return undefined;
  const { npm_lifecycle_event: script = 'start' } = process.env;
  const command = script === 'start' ? 'npm start' : `npm run ${script}`;
  return `Port ${port} is taken. To start on another one: ${command} -- --httpPort ${free}`;
}

/** Loads what was built, as the function would be loaded, so that a wrong variable is told now and not by each request. */
async function configurationFault(variables: NodeJS.ProcessEnv): Promise<string | undefined> {
  Object.assign(process.env, variables);
  try {
    await import(pathToFileURL('dist/api.mjs').href);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function welcome(url: string, { CORS_ORIGINS, TODO_TABLE, AWS_ENDPOINT_URL_DYNAMODB }: NodeJS.ProcessEnv): string {
  const table = `The collection is in the table ${TODO_TABLE} at ${AWS_ENDPOINT_URL_DYNAMODB ?? 'AWS'}.`;
  const lines = [
    '',
    `  Page      ${url}/swagger/ui`,
    `  API       ${url}/api/todo`,
    `  Document  ${url}/swagger/v1/swagger.json`,
    '',
    TODO_TABLE && TODO_TABLE !== 'none' ? table : 'The collection is in memory, and lost when the service stops.',
  ];
  if (!CORS_ORIGINS) {
    lines.push(
      'CORS_ORIGINS is not set: on AWS, browsers then keep pages of other origins from reading what the API answers.',
      'Here they can read it all the same, because serverless-offline adds CORS headers of its own.',
    );
  }
  return `${lines.join('\n')}\n`;
}
