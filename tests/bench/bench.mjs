// `npm run bench` measures how much CPU time requests take under Lambda's Node.js, in multiples of the same API by hand, beside the same
// API with middy. Handlers take events and give results as JSON, as in Lambda. `npm run bench -- before=/path/to/dist/api.cjs` adds another build.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'tests/bench';
/** By row, the status that each handler answers with. */
const STATUS = { 'list of 100': 200, get: 200, post: 201, put: 204, patch: 204, 'not found': 404 };
const ROWS = Object.keys(STATUS);
const COLD = 'cold start, first list';
const [ROUNDS, WARM_UP, PASSES, BATCH] = [5, 60, 60, 20];
const LIST = '/api/todo';
const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8'));
const MEMBERS = paths[LIST].post.requestBody.content['application/json'].example;

if (process.send) process.on('message', prepare(process.argv[2]));
else {
  const rows = Object.entries(await compare());
  console.table(Object.fromEntries(rows.map(([row, byHandler]) => [row, summaryOf(Object.entries(byHandler))])));
}

/**
 * Measures each handler in a process of its own.
 *
 * @returns By row and handler, the microseconds of CPU time that a request took in each round.
 */
async function compare() {
  const entryPoints = ['by-hand', 'middy'].map((name) => `${FOLDER}/${name}.mjs`);
  const options = { bundle: true, format: 'cjs', platform: 'node', target: 'node24', minify: true };
  await build({ ...options, entryPoints, outdir: `${FOLDER}/dist`, outExtension: { '.js': '.cjs' } });
  const own = [
    ['by hand', `${FOLDER}/dist/by-hand.cjs`],
    ['this service', 'dist/api.cjs'],
    ['middy', `${FOLDER}/dist/middy.cjs`],
  ];
  const handlers = [...own, ...process.argv.slice(2).map((argument) => argument.split('='))];
  const forEach = () => Object.fromEntries(handlers.map(([name]) => [name, []]));
  const figures = Object.fromEntries([...ROWS, COLD].map((row) => [row, forEach()]));
  for (let round = 0; round < ROUNDS; round += 1) {
    const processes = handlers.map(([name, file]) => ({ name, ...start(file) }));
    for (let pass = 0; pass < WARM_UP; pass += 1)
      for (const row of ROWS) for (const { measure } of processes) await measure(row, BATCH);
    for (const row of ROWS) {
      const times = forEach();
      // They take turns of a few milliseconds, so that other work on the machine affects all of them alike.
      for (let pass = 0; pass < PASSES; pass += 1)
        for (const { name, measure } of processes) times[name].push(await measure(row, BATCH));
      for (const { name } of processes) figures[row][name].push(quantile(times[name], 0.25));
    }
    for (const { child } of processes) child.kill();
    for (const [name, file] of [...handlers, ...handlers]) {
      const { child, measure } = start(file);
      figures[COLD][name].push(await measure(COLD, 1));
      child.kill();
    }
  }
  return figures;
}

function start(file) {
  const child = fork(`${FOLDER}/bench.mjs`, [file], {
    execPath: `${FOLDER}/node_modules/node24/bin/node`,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.once('exit', (code) => code && process.exit(code));
  const measure = async (row, count) => {
    child.send({ row, count });
    return (await once(child, 'message'))[0];
  };
  return { child, measure };
}

/** Prepares the process of a handler. It answers each message with the microseconds that a request of the row takes. */
function prepare(file) {
  const browser = JSON.parse(readFileSync(`${FOLDER}/events/browser.json`, 'utf8'));
  const require = createRequire(import.meta.url);
  // AWS's runtime client loads these before the handler.
  for (const name of ['fs', 'http', 'os', 'path', 'util', 'worker_threads']) require(`node:${name}`);
  // It writes log entries like this.
  console.info = (message) =>
    writeSync(1, `${JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message })}\n`);
  const keys = [];
  let handler;

  const eventOf = (method, path, body) => {
    const origin = `https://${browser.headers.Host}`;
    const headers = { ...browser.headers, ...(body && { origin, 'content-type': 'application/json' }) };
    const multiValueHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
    const requestContext = { ...browser.requestContext, httpMethod: method, path: `/live${path}` };
    const pathParameters = { proxy: path.slice(1) };
    const request = { path, httpMethod: method, headers, multiValueHeaders, pathParameters, requestContext };
    return JSON.stringify({ ...browser, ...request, body: body ? JSON.stringify(body) : null });
  };
  const call = async (text) => JSON.stringify(await handler(JSON.parse(text), {}));
  const create = async () => JSON.parse(JSON.parse(await call(eventOf('POST', LIST, MEMBERS))).body).key;
  const ofItem = (method, body) => (count) => {
    const pathAndBody = (key) => [`${LIST}/${key}`, body && { ...body, key }];
    return Array.from({ length: count }, (_, index) => eventOf(method, ...pathAndBody(keys[index % keys.length])));
  };
  const rows = {
    'list of 100': (count) => Array(count).fill(eventOf('GET', LIST)),
    get: ofItem('GET'),
    post: (count) => Array(count).fill(eventOf('POST', LIST, MEMBERS)),
    put: ofItem('PUT', { ...MEMBERS, isComplete: true }),
    patch: ofItem('PATCH', { isComplete: false }),
    'not found': (count) => Array(count).fill(eventOf('GET', `${LIST}/nobody`)),
  };
  return async ({ row, count }) => {
    if (row !== COLD) handler ??= require(resolve(file)).handler;
    while (row !== COLD && keys.length < 99) keys.push(await create());
    const events = row === COLD ? [eventOf('GET', LIST)] : rows[row](count);
    const texts = [];
    const usage = process.cpuUsage();
    handler ??= require(resolve(file)).handler;
    for (const event of events) texts.push(await call(event));
    const { user, system } = process.cpuUsage(usage);
    for (const { statusCode, body } of texts.map((text) => JSON.parse(text))) {
      if (statusCode !== (STATUS[row] ?? 200)) throw new Error(`${file}, ${row}: ${statusCode} ${body}`);
      if (row === 'post') await call(eventOf('DELETE', `${LIST}/${JSON.parse(body).key}`));
    }
    process.send((user + system) / events.length);
  };
}

/** The microseconds of the first handler, and those of each other one as multiples of them. */
function summaryOf([[first, base], ...others]) {
  const multiples = others.map(([name, figures]) => [name, figures.map((figure, round) => figure / base[round])]);
  const medians = [[`${first}, µs`, base], ...multiples].map(([name, figures]) => [name, quantile(figures, 0.5)]);
  return Object.fromEntries(medians.map(([name, median]) => [name, Number(median.toFixed(2))]));
}

function quantile(figures, part) {
  const sorted = [...figures].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)];
}
