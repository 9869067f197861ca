import { afterAll } from '@jest/globals';
import { startTables, storeIn } from '../../support/dynamodb/tables.js';
import { describeStore } from './every-store.js';

const tables = startTables();

afterAll(async () => (await tables).stop());

describeStore('in a table', async (resource) => storeIn(await (await tables).create(), resource));
