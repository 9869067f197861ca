import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { spawnEmulator, untilReady } from './emulator.js';
import { choosePort } from './port.js';

/** How the service is run. */
export interface Run {
  /** Options of serverless-offline. */
  readonly options: readonly string[];
  /** Environment variables besides those that are set. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node.js. */
  readonly node?: readonly string[];
  /** The folder whose dist/ has what is run; that of the project when left out. */
  readonly folder?: string;
  /** Builds it. It throws when that fails; what is wrong with the code has then been printed. */
  build(): Promise<void>;
}

/**
 * Builds the service, runs it under serverless-offline until it is stopped, and prints where it is. Lines of the emulator's
 * own are left out: SLS_LOG_LEVEL=notice brings them back.
 *
 * @param run - How it is run.
 * @returns The exit code: 1 when the service can't start, after what is in its way has been printed.
 */
export async function runService({ options, environment, node, folder = '.', build }: Run): Promise<number> {
  const variables: NodeJS.ProcessEnv = { SLS_LOG_LEVEL: 'warning', ...process.env, ...environment, BUILT_IN: folder };
  const { port, added, fault } = await choosePort(options, variables.PORT);
  const obstacle = fault ?? (await buildFault(build)) ?? (await configurationFault(folder, variables));
  if (obstacle) {
    console.error(obstacle);
    return 1;
  }
  const emulator = spawnEmulator([...options, ...added], variables, node);
  const ended = new Promise<number>((resolve) => emulator.on('exit', (code) => resolve(code ?? 0)));
  let stopped = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      stopped = true;
      emulator.kill(signal);
    });
  }
  try {
    await untilReady(emulator, port, (text) => process.stdout.write(text));
    emulator.stderr?.pipe(process.stderr);
    console.log(welcome(`http://localhost:${port}`, variables));
  } catch (error) {
    if (!stopped) console.error((error as Error).message);
  }
  return ended;
}

async function buildFault(build: Run['build']): Promise<string | undefined> {
  try {
    await build();
    return undefined;
  } catch (error) {
    const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown };
    if (errors) return 'The service could not be built: see above.';
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(code))) return inShort(error as Error);
    return `What is built can't be written here (${message}): make the folder your own, or copy the project to one that is.`;
  }
}

/** Loads what was built, as the function would be loaded, so that a wrong variable is reported now and not by each request. */
async function configurationFault(folder: string, variables: NodeJS.ProcessEnv): Promise<string | undefined> {
  Object.assign(process.env, variables);
  try {
    await import(pathToFileURL(`${folder}/dist/api.mjs`).href);
    return undefined;
  } catch (error) {
    return inShort(error as Error);
  }
}

/** The message of what the service itself throws says enough; anything else is a bug, to be found by its stack. */
function inShort({ name, message, stack = message }: Error): string {
  return name === 'Error' ? message : stack;
}

/** The paths of the lists, from the document. */
function collections(): string[] {
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  return Object.keys(paths).filter((path) => !path.includes('{'));
}

function welcome(url: string, { CORS_ORIGINS, TODO_TABLE, AWS_ENDPOINT_URL_DYNAMODB }: NodeJS.ProcessEnv): string {
  const table = `The collection is in the table ${TODO_TABLE} at ${AWS_ENDPOINT_URL_DYNAMODB ?? 'AWS'}.`;
  const lines = [
    '',
    `  Page      ${url}/swagger/ui`,
    ...collections().map((path) => `  API       ${url}${path}`),
    `  Document  ${url}/swagger/v1/swagger.json`,
    '',
    TODO_TABLE && TODO_TABLE !== 'none'
      ? table
      : 'The collection is in memory, and lost when the service stops. Ctrl-C stops it.',
  ];
  if (!CORS_ORIGINS) {
    lines.push(
      'CORS_ORIGINS is not set: on AWS, browsers then keep pages of other origins from reading what the API answers.',
      'Here they can read it all the same, because serverless-offline adds CORS headers of its own.',
    );
  }
  return `${lines.join('\n')}\n`;
}
