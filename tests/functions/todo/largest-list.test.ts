import { expect, it } from '@jest/globals';
import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { startDeployed } from '../../support/service/deployed.js';

/** The bytes that a text takes inside the JSON of a result. */
const inResult = (text: string) => Buffer.byteLength(JSON.stringify(text)) - 2;

it("a list in memory fills a result of Lambda's to the byte, and no write makes it longer", async () => {
  const service = startDeployed();
  const list = async () => inResult((await service.call('GET', '/api/todo')).text);
  const post = (length: number) => service.call('POST', '/api/todo', { body: { name: 'x'.repeat(length) } });
  for (let count = 0; count < 6; count += 1) await post(1_000_000);
  const empty = (await list()) + inResult(',{"key":"","name":"","isComplete":false}') + 36;
  expect((await post(LARGEST_CONTENT - empty + 1)).status).toBe(507);
  expect((await post(LARGEST_CONTENT - empty)).status).toBe(201);
  expect(await list()).toBe(LARGEST_CONTENT);
});
