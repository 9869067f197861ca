import inspector from 'node:inspector';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readConfiguration } from '../../functions/configuration.js';
import type { Parameters } from '../parameters/parameters.js';
import type { Local } from './backing.js';
import { buildDist, runTypeScript } from './child.js';
import { mendServer } from './mend-server.js';
import { checkPort } from './ports.js';
import { refuseForeignCalls } from './refuse-foreign-calls.js';
import { welcome } from './welcome.js';

/** As far as the emulator needs serverless.yml. */
export interface EmulatedService {
  readonly provider: { readonly region: string; readonly environment: Record<string, string> };
  readonly functions: Readonly<Record<string, { readonly url?: unknown; readonly events: object[] }>>;
  readonly custom: {
    readonly 'serverless-offline': { readonly host: string; httpPort: number; location?: string };
    tokens?: Local['tokens'];
  };
}

/** Of serverless-offline, and ours. */
export interface EmulatorOptions {
  readonly host?: string;
  readonly httpPort?: string;
  readonly httpsProtocol?: string;
  readonly local?: boolean;
  readonly people?: boolean;
  readonly watch?: boolean;
}

/** Parameters are checked before the table and the provider exist, so the values are placeholders. */
export function localParameters({ local, people }: EmulatorOptions): Partial<Parameters> {
  return {
    ...(local && { table: 'local' }),
    ...(people && { tokenIssuer: 'http://127.0.0.1', tokenAudience: 'local' }),
  };
}

const { log } = console;

/**
 * Chooses the port, builds the service and loads it once, so that a wrong variable is reported now and not at each
 * request.
 *
 * @param service - Is completed for serverless-offline.
 * @throws Error with a sentence about why the service can't start.
 */
export async function prepareEmulator(service: EmulatedService, options: EmulatorOptions): Promise<void> {
  const { custom, functions, provider } = service;
  const emulator = custom['serverless-offline'];
  const port = options.httpPort ?? (process.env.PORT || emulator.httpPort);
  emulator.httpPort = await checkPort(port, options.host ?? emulator.host, options.httpPort !== undefined);
  const { corsOrigins } = readConfiguration({ CORS_ORIGINS: provider.environment.CORS_ORIGINS });
  // serverless-offline does not know function URLs. Their events are those of an HTTP API.
  for (const { url, events } of Object.values(functions)) if (url) events.push({ httpApi: '*' });
  if (options.people && !options.local) throw new Error('Two people need a table: use npm run local -- --people');
  if (options.local) {
    const own = ['localhost', options.host ?? emulator.host].map(
      (name) => new URL(urlOf(name, emulator.httpPort, options)).origin,
    );
    const script = ['serverless/local/backing.ts', ...(options.people ? ['--people', ...own, ...corsOrigins] : [])];
    const local = (await runTypeScript(script, 'The local DynamoDB did not start')) as Local;
    Object.assign(provider.environment, local.environment);
    Object.assign(custom, { tokens: local.tokens });
  }
  // As serverless-offline will set them.
  Object.assign(process.env, { AWS_REGION: provider.region, ...provider.environment, IS_OFFLINE: 'true' });
  mendServer();
  refuseForeignCalls({ host: options.host, pagePort: emulator.httpPort, origins: corsOrigins, hidesOrigin: true });
  if (options.watch) {
    await watch();
    emulator.location = '.dev';
  } else {
    await buildDist();
  }
  await import(pathToFileURL(resolve(emulator.location ?? '.', 'dist/api.mjs')).href);
  // serverless-offline would draw a box around routes, which are not the paths that callers use.
  console.log = () => {};
}

/**
 * Prints where the service is, once serverless-offline has started. A Node.js process that started this one also gets a
 * message with the URL and the function's variables.
 */
export function showAddresses({ custom, provider }: EmulatedService, options: EmulatorOptions): void {
  console.log = log;
  const url = urlOf(options.host ?? 'localhost', custom['serverless-offline'].httpPort, options);
  log(welcome(url, process.env, custom.tokens));
  process.send?.({ url, environment: provider.environment });
}

function urlOf(host: string, port: number, { httpsProtocol }: EmulatorOptions): string {
  return `${httpsProtocol ? 'https' : 'http'}://${host}:${port}`;
}

async function watch(): Promise<void> {
  process.setSourceMapsEnabled(true);
  // If that port is taken, any other. Node.js prints which.
  for (const port of [9229, 0]) if (!inspector.url()) inspector.open(port, '127.0.0.1');
  await runTypeScript(['serverless/local/dev.ts'], 'The service could not be built');
}
