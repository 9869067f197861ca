import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { buildService } from '../../../esbuild.js';
import { spawnEmulator, untilReady } from './emulator.js';
import { choosePort } from './port.js';

/** How the service is run. */
export interface Run {
  /** Options of serverless-offline. */
  readonly options: readonly string[];
  /** Environment variables besides those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Options of Node.js. */
  readonly node?: readonly string[];
  /** The folder whose dist/ is run; by default the project's. */
  readonly folder?: string;
  /** Builds it. */
  build(): Promise<void>;
}

const build = () => buildService('dist');

/** Runs `npm start`: builds the service and runs it under serverless-offline, with its options. Returns the exit code. */
export function start(options: readonly string[]): Promise<number> {
  return runService({ options, build });
}

/** Runs `npm run local`: like `npm start`, with a DynamoDB of its own that keeps its data in .dynamodb/. */
export async function local(options: readonly string[]): Promise<number> {
  // This imports a package for development, and npm start must work without those.
  const { startTables } = await import('../dynamodb/tables.js');
  const tables = await startTables('.dynamodb');
  const code = await runService({ options, environment: await tables.create('local'), build });
  await tables.stop();
  return code;
}

/**
 * Builds the service, runs it under serverless-offline until it is stopped, and prints its addresses. It leaves out the
 * emulator's own lines; SLS_LOG_LEVEL=notice shows them.
 *
 * @param run - How it is run.
 * @returns The exit code: 1 if the service can't start; the reason has then been printed.
 */
export async function runService({ options, environment, node, folder = '.', build }: Run): Promise<number> {
  const variables: NodeJS.ProcessEnv = { SLS_LOG_LEVEL: 'warning', ...process.env, ...environment, BUILT_IN: folder };
  let stopped = false;
  try {
    const chosen = await choosePort(options, variables.PORT);
    await build();
    // Loads the function, so that a wrong variable is reported now, and not at each request.
    Object.assign(process.env, variables);
    await import(pathToFileURL(`${folder}/dist/api.mjs`).href);
    const emulator = spawnEmulator(chosen.options, variables, node);
    const ended = once(emulator, 'exit');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        stopped = true;
        emulator.kill(signal);
      });
    }
    await untilReady(emulator, chosen.port, (text) => process.stdout.write(text));
    emulator.stderr?.pipe(process.stderr);
    console.log(welcome(`http://localhost:${chosen.port}`, variables));
    const [code] = await ended;
    return code ?? 0;
  } catch (error) {
    if (!stopped) console.error(explain(error as Error));
    return stopped ? 0 : 1;
  }
}

/** Says why the service can't start. The message is enough for errors that it throws on purpose; bugs need the stack. */
function explain(error: Error): string {
  const { code, name, message, stack = message, errors } = error as NodeJS.ErrnoException & { errors?: unknown };
  if (errors) return 'The service could not be built: see above.';
  if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(String(code))) {
    return `The build can't be written here (${message}): make the folder your own, or copy the project to one that is.`;
  }
  return name === 'Error' ? message : stack;
}

function welcome(url: string, { CORS_ORIGINS, TABLE_NAME, AWS_ENDPOINT_URL_DYNAMODB }: NodeJS.ProcessEnv): string {
  const { paths } = JSON.parse(readFileSync('docs/swagger.json', 'utf8'));
  const collections = Object.keys(paths).filter((path) => !path.includes('{'));
  const lines = [
    '',
    `  Page      ${url}/swagger/ui`,
    ...collections.map((path) => `  API       ${url}${path}`),
    `  Document  ${url}/swagger/v1/swagger.json`,
    '',
    TABLE_NAME && TABLE_NAME !== 'none'
      ? `The collection is in the table ${TABLE_NAME} at ${AWS_ENDPOINT_URL_DYNAMODB ?? 'AWS'}.`
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
