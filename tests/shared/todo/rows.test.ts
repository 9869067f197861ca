import { describe, expect, it } from '@jest/globals';
import { Rows } from '../../../shared/todo/rows.js';

describe('the rows of a table', () => {
  it('are read with all writes that were acknowledged before, which the DynamoDB of the tests does unasked', async () => {
    const asked: [string, object][] = [];
    const rows = new Rows(async (operation, input) => {
      asked.push([operation, input]);
      return { Items: [] };
    }, 'todo');
    await rows.get('1');
    await rows.scan(undefined, undefined);
    await rows.scan('1', 5);
    expect(asked).toEqual([
      ['GetItem', { TableName: 'todo', ConsistentRead: true, Key: { key: { S: '1' } } }],
      ['Scan', { TableName: 'todo', ConsistentRead: true }],
      ['Scan', { TableName: 'todo', ConsistentRead: true, ExclusiveStartKey: { key: { S: '1' } }, Limit: 5 }],
    ]);
  });
});
