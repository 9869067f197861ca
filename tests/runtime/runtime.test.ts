import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { LARGEST_CONTENT, LARGEST_RESULT } from '../../shared/gateway/gateway.js';
import { type Deployment, packageService } from '../support/deployment/deployment.js';
import { gateways } from '../support/gateways/gateways.js';
import { anItem, CHANGE, COLLECTION, FIRST, NAME, TEXT } from '../support/service/resource.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { Environment, type InvocationOutcome, type Result } from './environment.js';

const folder = temporaryFolder();
const EVENTS = 'tests/support/gateways/events';
const figures: string[] = [];
let deployment: Deployment;

beforeAll(async () => {
  deployment = await packageService(folder);
});

afterAll(() => {
  process.stdout.write(`${figures.join('\n')}\n`);
});

describe.each([
  ["Lambda's Node.js", resolve('tests/runtime/node_modules/node24/bin/node')],
  [`Node.js ${process.version}`, process.execPath],
])('the deployment package under %s', (name, node) => {
  const running: Environment[] = [];

  afterEach(async () => {
    await Promise.all(running.splice(0).map((environment) => environment.stop()));
  });

  async function tryStart(variables: Record<string, string> = {}, otherHandler?: string) {
    const lambda = deployment.template.Resources.ApiLambdaFunction?.Properties;
    const environment = { ...lambda.Environment.Variables, LOG_LEVEL: 'warn', ...variables };
    const handler = otherHandler ?? lambda.Handler;
    const { MemorySize: memorySize } = lambda;
    const started = await Environment.start({ node, folder, handler, memorySize, variables: environment });
    if (started instanceof Environment) running.push(started);
    return started;
  }

  async function start(variables?: Record<string, string>): Promise<Environment> {
    const started = await tryStart(variables);
    if ('initError' in started) throw new Error(started.initError.errorMessage);
    return started;
  }

  it('starts, again and again', async () => {
    const times: number[] = [];
    for (let count = 0; count < 9; count += 1) times.push((await start()).started);
    const memory = running.map((environment) => environment.peakMemory);
    figures.push(`${name}: init ${median(times).toFixed(0)} ms, ${median(memory).toFixed(0)} MB`);
  });

  it('does not start with a wrong configuration, and says why', async () => {
    const started = await tryStart({ LOG_LEVEL: 'loud' });
    expect(started).toEqual({
      initError: expect.objectContaining({ errorMessage: expect.stringContaining('LOG_LEVEL is "loud"') }),
    });
  });

  it('does not start with another handler than one of two parameters', async () => {
    writeFileSync(join(folder, 'three.mjs'), 'export const handler = async (event, context, callback) => {};');
    const initError = (errorType: string) => ({ initError: expect.objectContaining({ errorType }) });
    expect(await tryStart({}, 'three.handler')).toEqual(initError('Runtime.CallbackHandlerDeprecated'));
    expect(await tryStart({}, 'dist/api.nope')).toEqual(initError('Runtime.HandlerNotFound'));
    expect(await tryStart({}, 'dist/nope.handler')).toEqual(initError('Runtime.ImportModuleError'));
  });

  it('answers every recorded event', async () => {
    const environment = await start();
    for (const file of readdirSync(EVENTS)) {
      const { statusCode } = resultOf(await environment.invoke(JSON.parse(readFileSync(join(EVENTS, file), 'utf8'))));
      expect([file, statusCode]).toEqual([file, expect.any(Number)]);
      expect(statusCode).toBeLessThan(500);
    }
  });

  it.each(gateways.map((gateway) => [gateway.name, gateway] as const))(
    'does all six operations behind %s',
    async (_name, gateway) => {
      const environment = await start();
      const call = async (method: string, path: string, item?: object) => {
        const headers: Record<string, string> = item ? { 'Content-Type': 'application/json' } : {};
        const body = item && JSON.stringify(item);
        const result = resultOf(await environment.invoke(gateway.event({ method, path, query: '', headers, body })));
        return { ...result, json: result.body && JSON.parse(result.body) };
      };
      const created = await call('POST', COLLECTION, anItem());
      expect(created.statusCode).toBe(201);
      expect(created.headers.Location).toBe(`${gateway.prefix}${COLLECTION}/${created.json.key}`);
      const path = `${COLLECTION}/${created.json.key}`;
      expect((await call('PATCH', path, CHANGE)).statusCode).toBe(204);
      expect((await call('GET', path)).json).toEqual({ ...created.json, ...CHANGE });
      expect((await call('PUT', path, { key: created.json.key, ...anItem('b') })).statusCode).toBe(204);
      expect((await call('GET', COLLECTION)).json).toHaveLength(2);
      expect((await call('DELETE', path)).statusCode).toBe(204);
      expect((await call('GET', path)).statusCode).toBe(404);
    },
  );

  it('keeps the collection over 1,000 requests', async () => {
    const environment = await start();
    const times: number[] = [];
    const names = Array.from({ length: 1_000 }, (_, number) => `item ${number}`);
    for (const name of names) {
      const began = performance.now();
      expect(resultOf(await environment.invoke(post(name))).statusCode).toBe(201);
      times.push(performance.now() - began);
    }
    const { body } = resultOf(await environment.invoke(get(COLLECTION)));
    expect(JSON.parse(body).map((item: Record<string, unknown>) => item[TEXT])).toEqual([FIRST[TEXT], ...names]);
    const slow = times.sort((one, other) => one - other)[989] as number;
    figures.push(`${name}: request ${median(times).toFixed(2)} ms, of which 1 in 100 over ${slow.toFixed(2)} ms`);
  });

  it('fills a result up to the limit with the list, and not beyond', async () => {
    const environment = await start();
    for (let length = 1_048_576; length >= 1; length /= 2) {
      while (resultOf(await environment.invoke(post('x'.repeat(length)))).statusCode === 201);
    }
    const listed = await environment.invoke(get(COLLECTION));
    expect(listed).toEqual({ kind: 'result', bytes: expect.any(Number), result: expect.any(Object) });
    const { bytes } = listed as { bytes: number };
    expect(bytes).toBeLessThanOrEqual(LARGEST_RESULT);
    expect(bytes).toBeGreaterThan(LARGEST_CONTENT - 200);
  });

  describe('with a fault planted', () => {
    const fault = { NODE_OPTIONS: `--import ${pathToFileURL('tests/runtime/fault.mjs').href}` };

    it('answers 500 to an exception, logs the line of the source, and goes on with its collection', async () => {
      const environment = await start(fault);
      await environment.invoke(post('kept'));
      const { statusCode, body } = resultOf(await environment.invoke(get(`${COLLECTION}/throw`)));
      expect(statusCode).toBe(500);
      expect(JSON.parse(body)).not.toHaveProperty('detail');
      const [line] = environment.log.map((text) => JSON.parse(text));
      expect(line).toMatchObject({ level: 'ERROR', message: 'unhandled exception', route: `${COLLECTION}/{id}` });
      expect(line.error.stack).toMatch(new RegExp(`functions/${NAME}\\.ts:\\d+:\\d+`));
      expect(JSON.parse(resultOf(await environment.invoke(get(COLLECTION))).body)).toHaveLength(2);
    });

    it('loses its collection, and nothing else, when its process ends', async () => {
      const environment = await start(fault);
      await environment.invoke(post('lost'));
      expect(await environment.invoke(get(`${COLLECTION}/exit`))).toEqual({ kind: 'exit', log: [] });
      const next = await start(fault);
      expect(JSON.parse(resultOf(await next.invoke(get(COLLECTION))).body)).toHaveLength(1);
    });
  });
});

const [rest] = gateways as [(typeof gateways)[0]];

function get(path: string): unknown {
  return rest.event({ method: 'GET', path, query: '', headers: {}, body: undefined });
}

function post(name: string): unknown {
  return rest.event({ method: 'POST', path: COLLECTION, query: '', headers: {}, body: JSON.stringify(anItem(name)) });
}

function resultOf(outcome: InvocationOutcome): Result {
  if (outcome.kind !== 'result') throw new Error(`no result: ${JSON.stringify(outcome)}`);
  return outcome.result;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number;
}
