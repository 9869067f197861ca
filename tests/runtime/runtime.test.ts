import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { matchesDeployed } from '../support/service/deployed.js';
import { COLLECTION, EXAMPLE, OPERATIONS } from '../support/service/documented.js';
import { expectOperation } from '../support/service/operations.js';
import { callThrough, type Service } from '../support/service/service.js';
import { type Environment, startEnvironment } from './environment.js';

/** Code that is loaded before the package, which stays as it is: looking an item up by one of two keys then fails. */
const FAULT = `
  const find = Map.prototype.get;
  Map.prototype.get = function (key) {
    const isCollection = (key === 'throw' || key === 'exit') && String(this.keys().next().value).length === 36;
    if (isCollection && key === 'throw') throw new Error('planted');
    if (isCollection) process.exit(1);
    return find.call(this, key);
  };`;
const EVENTS = 'tests/support/gateways/events';
const running: Environment[] = [];
let environment: Environment;

beforeAll(async () => {
  environment = await start();
});

afterAll(() => {
  for (const one of running) one.stop();
});

describe("the build, in AWS's runtime client", () => {
  it('does not start with a wrong configuration, and says why', async () => {
    await expect(start({ LOG_LEVEL: 'loud' })).rejects.toThrow('LOG_LEVEL is "loud"');
  });

  it.each(readdirSync(EVENTS))('answers the recorded event %s', async (file) => {
    const { statusCode } = await environment.invoke(JSON.parse(readFileSync(join(EVENTS, file), 'utf8')));
    expect(statusCode).toBeLessThan(500);
  });

  it.each(gateways.map((gateway) => [gateway.name, gateway] as const))(
    'answers every operation behind %s',
    async (_name, gateway) => {
      const service = serviceOf(environment, gateway);
      for (const [method, template] of OPERATIONS) await expectOperation(service, method, template);
    },
  );
});

describe("the build, in AWS's runtime client, with a fault planted", () => {
  const fault = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(FAULT)}` };

  it('answers 500 to an exception, logs the line of the source, and keeps its collection', async () => {
    const faulty = await start(fault);
    const { call } = serviceOf(faulty);
    await call('POST', COLLECTION, { body: EXAMPLE });
    const { status, json } = await call('GET', `${COLLECTION}/throw`);
    expect(status).toBe(500);
    expect(json).not.toHaveProperty('detail');
    const [line] = faulty.log.map((text) => JSON.parse(text));
    expect(line).toMatchObject({ level: 'ERROR', message: 'unhandled exception', route: `${COLLECTION}/{id}` });
    expect(line.error.stack).toMatch(/functions\/\w+\.ts:\d+:\d+/);
    expect((await call('GET', COLLECTION)).json).toHaveLength(2);
  });

  it('loses its collection, and nothing else, when its process ends', async () => {
    const { call } = serviceOf(await start(fault));
    await call('POST', COLLECTION, { body: EXAMPLE });
    await expect(call('GET', `${COLLECTION}/exit`)).rejects.toThrow(/^the process ended: $/);
    expect((await serviceOf(await start(fault)).call('GET', COLLECTION)).json).toHaveLength(1);
  });
});

async function start(variables: NodeJS.ProcessEnv = {}): Promise<Environment> {
  const started = await startEnvironment(variables);
  running.push(started);
  return started;
}

function serviceOf(environment: Environment, gateway = gateways[0] as Gateway): Service {
  return callThrough(gateway, (event) => environment.invoke(event), matchesDeployed);
}
