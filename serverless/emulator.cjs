const inspector = require('node:inspector');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildService, runTypeScript } = require('./child.cjs');
const { refuseForeignCalls } = require('./local-calls.cjs');
const { checkPort } = require('./ports.cjs');
const { welcome } = require('./welcome.cjs');

const { log } = console;

/**
 * Prepares what serverless-offline serves: chooses its port, builds the service and loads it once, so that a wrong variable is
 * reported now and not at each request.
 *
 * @param {object} service - Serverless Framework's, whose settings it completes.
 * @param {object} options - Those of the command line.
 * @throws Error that says in words why the service can't start.
 */
async function prepareEmulator({ custom, functions, provider }, options) {
  const emulator = custom['serverless-offline'];
  const port = options.httpPort ?? (process.env.PORT || emulator.httpPort);
  emulator.httpPort = await checkPort(port, options.host ?? emulator.host);
  // It knows no function URLs, whose events are those of an HTTP API.
  for (const { url, events } of Object.values(functions)) if (url) events.push({ httpApi: '*' });
  if (options.people && !options.local) throw new Error('Two people need a table: use npm run local -- --people');
  if (options.local) {
    const script = ['serverless/local.ts', ...(options.people ? ['--people'] : [])];
    const { environment, tokens } = await runTypeScript(script, 'The local DynamoDB did not start');
    Object.assign(provider.environment, environment);
    Object.assign(custom, { tokens });
  }
  // The variables of the function, as serverless-offline will set them.
  Object.assign(process.env, { AWS_REGION: provider.region, ...provider.environment, IS_OFFLINE: 'true' });
  const origins = (process.env.CORS_ORIGINS ?? '').split(',').map((origin) => origin.trim());
  refuseForeignCalls({ host: options.host, pagePort: emulator.httpPort, origins });
  if (options.watch) {
    await watch();
    emulator.location = '.dev';
  } else {
    await buildService();
  }
  await import(pathToFileURL(resolve(emulator.location ?? '.', 'dist/api.mjs')).href);
  // serverless-offline would draw a box around routes that nobody calls like that.
  console.log = () => {};
}

function showAddresses({ custom }, { host, httpsProtocol }) {
  console.log = log;
  const scheme = httpsProtocol ? 'https' : 'http';
  log(
    welcome(`${scheme}://${host ?? 'localhost'}:${custom['serverless-offline'].httpPort}`, process.env, custom.tokens),
  );
}

module.exports = { prepareEmulator, showAddresses };

async function watch() {
  process.setSourceMapsEnabled(true);
  // Any other port if that one is taken; Node.js prints which.
  for (const port of [9229, 0]) if (!inspector.url()) inspector.open(port, '127.0.0.1');
  await runTypeScript(['serverless/dev.ts'], 'The service could not be built');
}
