import { afterAll, describe, jest } from '@jest/globals';
import { kinds } from '../support/kinds.js';
import { keepInTables } from '../support/service.js';
import { startTables } from '../support/tables.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describe('with the collection in a table', () => {
  // The table doesn't see through which gateway a request came.
  jest.doMock('../support/kinds.js', () => ({ kinds: kinds.slice(0, 1) }));
  keepInTables(async () => (await tables).create());
  for (const suite of ['todo', 'list', 'conditions', 'cors']) require(`./${suite}.test.js`);
});
