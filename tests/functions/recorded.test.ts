import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { loadHandler } from '../support/service/service.js';

const folder = 'tests/support/gateways/events';

/** What became of the recorded requests, which asked for other services' paths: a root is the page's, here too. */
const answers: Record<string, [status: number, location?: string]> = {
  'alb.json': [400],
  'rest-console-root.json': [302, '/swagger/ui'],
};

it.each(readdirSync(folder))('the event %s is answered as it was recorded', async (name) => {
  const event = JSON.parse(readFileSync(`${folder}/${name}`, 'utf8'));
  const [statusCode, location] = answers[name] ?? [404];
  const headers = expect.objectContaining(location === undefined ? {} : { Location: location });
  expect(await loadHandler()(event)).toMatchObject({ statusCode, headers });
});
