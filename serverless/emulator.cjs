const inspector = require('node:inspector');
const { resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { buildService, runTypeScript } = require('./child.cjs');
const { refuseForeignCalls } = require('./local-calls.cjs');
const { choosePorts, freePort } = require('./ports.cjs');
const { welcome } = require('./welcome.cjs');

const { log } = console;

/**
 * Prepares what serverless-offline serves: chooses its ports, builds the service and loads it once, so that a wrong variable is
 * reported now and not at each request.
 *
 * @param {object} service - Serverless Framework's, whose settings it completes.
 * @param {object} options - Those of the command line.
 * @throws Error that says in words why the service can't start.
 */
async function prepareEmulator({ custom, functions, provider }, options) {
  const emulator = custom['serverless-offline'];
  Object.assign(emulator, await choosePorts(options, emulator, process.env.PORT));
  refuseForeignCalls({ host: options.host, pagePort: emulator.httpPort });
  // It knows no function URLs, whose events are those of an HTTP API.
  for (const { url, events } of Object.values(functions)) if (url) events.push({ httpApi: '*' });
  if (options.people && !options.local) throw new Error('Two people need a table: use npm run local -- --people');
  if (options.local) {
    const script = ['serverless/local.ts', ...(options.people ? ['--people'] : [])];
    const { environment, tokens } = await runTypeScript(script, 'The local DynamoDB did not start');
    Object.assign(provider.environment, { TODO_TABLE: '' }, environment);
    Object.assign(custom, { tokens });
  }
  // The variables of the function, as serverless-offline will set them.
  Object.assign(process.env, { AWS_REGION: provider.region, ...provider.environment, IS_OFFLINE: 'true' });
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
  if (!inspector.url()) inspector.open(await freePort(9229), '127.0.0.1');
  await runTypeScript(['serverless/dev.ts'], 'The service could not be built');
}
