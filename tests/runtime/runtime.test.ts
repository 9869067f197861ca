import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gateways } from '../support/gateways/gateways.js';
import { asking } from '../support/service/answer.js';
import { COLLECTION, EXAMPLE, matchesDeployed } from '../support/service/deployed.js';
import { callThrough } from '../support/service/service.js';
import { type Environment, startEnvironment } from './environment.js';

const EVENTS = 'tests/support/gateways/events';

describe("the build, in AWS's runtime client", () => {
  let environment: Environment;
  beforeAll(async () => {
    environment = await startEnvironment();
  });
  afterAll(() => environment.stop());

  it('does not start with a wrong configuration, and says why', async () => {
    await expect(startEnvironment({ LOG_LEVEL: 'loud' })).rejects.toThrow('LOG_LEVEL is "loud"');
  });

  it.each(readdirSync(EVENTS))('answers the recorded event %s', async (file) => {
    const { statusCode } = await environment.invoke(JSON.parse(readFileSync(`${EVENTS}/${file}`, 'utf8')));
    expect(statusCode).toBeLessThan(500);
  });

  it.each(gateways)('answers every operation behind $name', async (gateway) => {
    const ask = asking(callThrough(gateway, (event) => environment.invoke(event), matchesDeployed));
    const { json: item, headers } = await ask(`POST ${COLLECTION}`, 201, { body: EXAMPLE });
    const path = `${COLLECTION}/${item.key}`;
    expect(headers.location).toBe(gateway.prefix + path);
    await ask(`PUT ${path}`, 204, { body: item });
    await ask(`PATCH ${path}`, 204, { body: EXAMPLE });
    expect((await ask(`GET ${path}`, 200)).json).toEqual(item);
    expect((await ask(`GET ${COLLECTION}`, 200)).json).toContainEqual(item);
    await ask(`DELETE ${path}`, 204);
  });
});
