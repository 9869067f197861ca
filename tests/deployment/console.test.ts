import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { loadHandler } from '../support/service/service.js';

const guide = readFileSync('docs/console.md', 'utf8');
const shown = Array.from(guide.matchAll(/^```json\n(.*?)^```/gms), ([, json]) => json as string);
const KEY = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g;

describe('the console guide', () => {
  it.each([
    ["API Gateway's test console", 0],
    ["Lambda's test console", 2],
  ])('shows what the service answers to %s, in the wire format', async (_name, index) => {
    const [event, answer] = shown.slice(index, index + 2) as [string, string];
    const result = JSON.stringify(await loadHandler()(JSON.parse(event)));
    expect(JSON.parse(result.replace(KEY, 'the key'))).toEqual(JSON.parse(answer.replace(KEY, 'the key')));
  });
});
