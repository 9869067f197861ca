// `npm run bench` measures how much CPU time requests take under Lambda's Node.js, in multiples of the same API by hand, and beside middy. Each
// handler gets and gives JSON, as in Lambda, and events that a browser causes. `npm run bench -- before=/path/to/dist/api.cjs` adds a build.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { build } from 'esbuild';

const FOLDER = 'tests/bench';
const [ROUNDS, PASSES, BATCH] = [9, 200, 20];
const LIST = '/api/todo';
const MEMBERS = { name: 'Walk the dog, and do not forget the bags', isComplete: false };

if (process.send) process.send(await measure(process.argv[2]));
else console.log(tableOf(await compare()));

/**
 * Compares handlers, each in a process of its own. They take turns, so that other work on the machine affects all of them alike.
 *
 * @returns For each round, by handler and by row, the microseconds of CPU time that a request takes.
 */
async function compare() {
  const entryPoints = ['by-hand', 'middy'].map((name) => `${FOLDER}/${name}.mjs`);
  const options = { bundle: true, format: 'cjs', platform: 'node', target: 'node24', minify: true };
  await build({ ...options, entryPoints, outdir: `${FOLDER}/dist`, outExtension: { '.js': '.cjs' } });
  const handlers = [
    ['by hand', `${FOLDER}/dist/by-hand.cjs`],
    ['this service', 'dist/api.cjs'],
    ['middy', `${FOLDER}/dist/middy.cjs`],
    ...process.argv.slice(2).map((argument) => argument.split('=')),
  ];
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const figures = {};
    for (const [name, file] of handlers) {
      const child = fork(`${FOLDER}/bench.mjs`, [file], {
        execPath: `${FOLDER}/node_modules/node24/bin/node`,
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      child.once('exit', (code) => code && process.exit(code));
      [figures[name]] = await once(child, 'message');
      child.disconnect();
    }
    rounds.push(figures);
  }
  return rounds;
}

/** Measures a handler, in a process that does nothing else. */
async function measure(file) {
  const browser = JSON.parse(readFileSync(`${FOLDER}/events/browser.json`, 'utf8'));
  const require = createRequire(import.meta.url);
  // AWS's runtime client has loaded these.
  for (const name of ['fs', 'http', 'os', 'path', 'util', 'worker_threads']) require(`node:${name}`);
  // It writes the log so.
  console.info = (message) =>
    writeSync(1, `${JSON.stringify({ timestamp: new Date().toISOString(), level: 'INFO', message })}\n`);
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
  const call = async (event) => JSON.stringify(await handler(JSON.parse(event), {}));
  /** Sends the requests, and returns the answers and the microseconds that each took. */
  const send = async (status, events) => {
    const texts = [];
    const before = process.cpuUsage();
    handler ??= require(resolve(file)).handler;
    for (const event of events) texts.push(await call(event));
    const { user, system } = process.cpuUsage(before);
    const answers = texts.map((text) => JSON.parse(text));
    const wrong = answers.find(({ statusCode }) => statusCode !== status);
    if (wrong) throw new Error(`${file}: ${wrong.statusCode} instead of ${status}: ${wrong.body}`);
    return { answers, time: (user + system) / events.length };
  };

  const cold = await send(200, [eventOf('GET', LIST)]);
  const create = Array(99).fill(eventOf('POST', LIST, MEMBERS));
  const keysOf = ({ answers }) => answers.map(({ body }) => JSON.parse(body).key);
  const keys = keysOf(await send(201, create));
  const ofItems = (method, body) =>
    keys.slice(0, BATCH).map((key) => eventOf(method, `${LIST}/${key}`, body && { ...body, key }));
  const rows = {
    'list of 100': [200, Array(BATCH).fill(eventOf('GET', LIST))],
    get: [200, ofItems('GET')],
    post: [201, create.slice(0, BATCH)],
    put: [204, ofItems('PUT', { ...MEMBERS, isComplete: true })],
    patch: [204, ofItems('PATCH', { isComplete: false })],
    'not found': [404, Array(BATCH).fill(eventOf('GET', `${LIST}/nobody`))],
  };
  const figures = { 'cold start, first list': cold.time };
  for (const [row, [status, events]] of Object.entries(rows)) {
    const times = [];
    for (let pass = 0; pass < PASSES; pass += 1) {
      const sent = await send(status, events);
      times.push(sent.time);
      if (row === 'post') for (const key of keysOf(sent)) await call(eventOf('DELETE', `${LIST}/${key}`));
    }
    figures[row] = quantile(times, 0.25);
  }
  return figures;
}

/** A Markdown table: microseconds of the first handler, and the others in multiples of it. */
function tableOf(rounds) {
  const [first, ...others] = Object.keys(rounds[0]);
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const median = (figureOf) => quantile(rounds.map(figureOf), 0.5);
  const lines = Object.keys(rounds[0][first]).map((row) => {
    const ratios = others.map((name) => median((figures) => figures[name][row] / figures[first][row]).toFixed(2));
    return line([`${row}, µs`, median((figures) => figures[first][row]).toFixed(1), ...ratios]);
  });
  return [line(['', first, ...others]), line(['---', '--:', ...others.map(() => '--:')]), ...lines].join('\n');
}

function quantile(figures, part) {
  const sorted = [...figures].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * part)];
}
