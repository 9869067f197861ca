import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';
import { name as NAME } from '../../package.json';
import { copyProject, install } from '../start/command.js';
import { listen } from '../support/listen.js';
import { COLLECTION } from '../support/service/documented.js';
import { runAll } from './packaging.js';

const WRONG = `import { route } from '../shared/routing/route.js';
export const undeclared = route({
  method: 'GET',
  template: '/undeclared',
  open: true,
  answers: { 200: {} },
  run: async () => ({ status: 404, headers: {} }),
});
`;
/** The files of the package, with the most bytes that each may have: a quarter more than it had. */
const MOST_BYTES: Readonly<Record<string, number>> = {
  'LICENSES.txt': 3_000,
  'api.mjs': 56_000,
  'api.mjs.map': 85_000,
  'authenticator.mjs': 39_500,
  'authenticator.mjs.map': 51_500,
  'document.json': 40_500,
  'openapi.json': 46_000,
  'page.gzip.json': 25_500,
  'page.identity.json': 78_000,
  'stack.mjs': 1_000,
  'stack.mjs.map': 1_500,
  'table.mjs': 18_500,
  'table.mjs.map': 32_000,
  // Where people sign in, the page is compressed when the service has completed it.
  'with-tokens/document.json': 50_000,
  'with-tokens/openapi.json': 55_500,
  'with-tokens/page.identity.json': 90_000,
};
/** What was called of AWS by the deployments of an operation that answers a status which it does not declare. */
const called: string[] = [];
const folder = copyProject();
let results: Awaited<ReturnType<typeof runAll>>;
let zip: AdmZip;
const packaged = join(folder, `packaged/${NAME}.zip`);

beforeAll(async () => {
  install(folder, false);
  const aws = createServer((request, response) => {
    called.push(`${request.method} ${request.url}`);
    response.end('{"Configuration":{}}');
  });
  // It must not keep the tests from ending, whatever fails.
  const endpoint = `http://${await listen(aws.unref())}`;
  const variables = { AWS_ENDPOINT_URL: endpoint, AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret' };
  const event = readFileSync('tests/support/gateways/events/rest-console-root.json', 'utf8');
  results = await runAll(folder, [
    { command: 'invoke local --function api --path event.json', files: { 'event.json': event } },
    { command: 'package --package packaged', files: { 'dist/api.mjs': 'an old build', 'dist/old.mjs': '' } },
    { command: 'deploy', files: { 'functions/wrong.ts': WRONG }, variables },
    { command: 'deploy function --function api', variables },
  ]);
  aws.close();
  zip = new AdmZip(packaged);
  zip.extractAllTo(join(folder, 'unzipped'));
});

describe('serverless invoke local', () => {
  it('builds in a fresh clone, and answers a recorded event', () => {
    expect(results[0]).toEqual({
      code: 0,
      printed: expect.stringMatching(/"statusCode": 302,.*"Location": ".*swagger\/ui"/s),
    });
  });
});

describe('serverless package', () => {
  it('builds and packages just these files, with nothing of an old build, byte for byte as in any other folder', () => {
    const entries = zip.getEntries();
    expect(entries.map(({ entryName }) => entryName)).toEqual(
      Object.keys(MOST_BYTES)
        .map((name) => `dist/${name}`)
        .sort(),
    );
    const differing = entries.filter((entry) => !entry.getData().equals(readFileSync(entry.entryName)));
    expect(differing.map(({ entryName }) => entryName)).toEqual([]);
  });

  it('puts no more into a file than it may have', () => {
    const entries = zip
      .getEntries()
      .map(({ entryName, header }) => [entryName.replace('dist/', ''), header.size] as const);
    expect(entries.filter(([name, size]) => size > (MOST_BYTES[name] ?? 0))).toEqual([]);
  });

  it('makes the same zip at any time', () => {
    // A zip has local times, and adm-zip reads them as such.
    expect(new Set(zip.getEntries().map(({ header }) => Number(header.time)))).toEqual(
      new Set([Number(new Date(1980, 0, 1))]),
    );
  });

  it('adds the licences of the packages that are bundled, as they ask for', () => {
    const text = zip.readAsText('dist/LICENSES.txt');
    for (const name of ['jose', 'uuid']) expect(text).toMatch(new RegExp(`^${name}\n\n.*Copyright`, 'ms'));
    const { sources } = JSON.parse(zip.readAsText('dist/authenticator.mjs.map'));
    expect(sources.join()).toContain('node_modules/jose/');
  });

  it('exports a handler with at most two parameters, as the runtime demands, which logs exceptions with the lines of the source', () => {
    const event = `{ httpMethod: 'GET', path: '${COLLECTION}', headers: { get accept() { throw new Error('planted'); } } }`;
    const module = JSON.stringify(pathToFileURL(join(folder, 'unzipped/dist/api.mjs')));
    const source = `import(${module}).then(async ({ handler }) => handler.length < 3 && handler(${event}))`;
    const env = { ...process.env, LOG_LEVEL: 'error' };
    const { error } = JSON.parse(String(execFileSync(process.execPath, ['-e', source], { env })));
    expect(error.message).toBe('planted');
    expect(error.stack).toMatch(/at .*functions\/[\w-]+\.ts:\d+:\d+\)?\n/);
    expect(error.stack).toMatch(/at .*shared\/routing\/dispatcher\.ts:\d+:\d+\)?(\n|$)/);
    expect(error.stack).not.toContain('api.mjs');
  });
});

describe('serverless deploy', () => {
  it('changes nothing if the types are wrong, as those of an operation that answers a status which it does not declare', () => {
    expect(results[2]).toMatchObject({
      code: 1,
      printed: expect.stringContaining('The types are not right: see above.'),
    });
    expect(results.stdout.match(/functions\/wrong\.ts\(\d+,\d+\): error TS\d+: /g)).toHaveLength(1);
    expect(called.filter((call) => !/^(GET|POST \/$)/.test(call))).toEqual([]);
  });
});

describe('serverless deploy function', () => {
  it('is refused before it uploads anything, because no caller would reach that, and says what to run', () => {
    expect(results[3]).toMatchObject({ code: 1, printed: expect.stringContaining('npm run deploy -- --stage dev') });
    expect(called.filter((call) => call.startsWith('PUT'))).toEqual([]);
  });
});
