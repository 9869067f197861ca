import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { startTables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { keepInTables, startService } from '../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('with the collection in a table', () => {
  // The table doesn't see through which gateway a request came.
  const one = gateways.slice(0, 1);
  jest.doMock('../support/gateways/gateways.js', () => ({ gateways: one, typicalGateways: one }));
  keepInTables(async () => (await tables).create());
  for (const suite of ['todo', 'list', 'conditions', 'idempotency']) require(`./${suite}.test.js`);

  it('an item that is too large for DynamoDB is answered 413, and changes nothing', async () => {
    const service = startService();
    const { key } = (await service.call('POST', '/api/todo', { body: { name: 'a' } })).json;
    const name = 'x'.repeat(400 * 1_024);
    for (const [method, path] of [
      ['POST', '/api/todo'],
      ['PUT', `/api/todo/${key}`],
      ['PATCH', `/api/todo/${key}`],
    ] as const) {
      const answer = await service.call(method, path, { body: { key, name } });
      expect(answer.status).toBe(413);
      expect(answer.json.detail).toBe('The item is larger than one may be. Send a smaller one.');
    }
    expect((await service.call('GET', '/api/todo')).json).toHaveLength(2);
  });
});
