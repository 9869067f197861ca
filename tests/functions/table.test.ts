import { afterAll, describe, expect, it, jest } from '@jest/globals';
import { startTables } from '../support/dynamodb/tables.js';
import { gateways } from '../support/gateways/gateways.js';
import { addNotes } from '../support/service/add-notes.js';
import { NOTES } from '../support/service/notes.js';
import { keepInTables, startService } from '../support/service/service.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('with the collection in a table', () => {
  // The table doesn't see through which gateway a request came.
  const one = gateways.slice(0, 1);
  jest.doMock('../support/gateways/gateways.js', () => ({ gateways: one, typicalGateways: one }));
  keepInTables(async () => (await tables).create());
  for (const suite of ['wire-format', 'operations', 'list', 'conditions', 'idempotency']) require(`./${suite}.test.js`);

  it('an item that is too large for DynamoDB is answered 413, and changes nothing', async () => {
    addNotes();
    const service = startService();
    const { key } = (await service.call('POST', NOTES, { body: { text: 'a' } })).json;
    const text = 'x'.repeat(400 * 1_024);
    for (const [method, path] of [
      ['POST', NOTES],
      ['PUT', `${NOTES}/${key}`],
      ['PATCH', `${NOTES}/${key}`],
    ] as const) {
      const answer = await service.call(method, path, { body: { text } });
      expect(answer.status).toBe(413);
      expect(answer.json.detail).toBe('The item is too large to be stored. Send a smaller one.');
    }
    expect((await service.call('GET', NOTES)).json).toHaveLength(2);
  });
});
