import { it } from '@jest/globals';

declare const isFaultFound: boolean;

// The tests that take longer to load or to run, for the faults that the quick ones have missed.
const files = [
  '../shared/swagger/document',
  '../shared/swagger/assets',
  '../shared/schema/oracle',
  '../functions/fill',
  '../functions/second-resource',
  '../functions/table',
  '../shared/dynamodb/send',
  '../functions/instances',
  '../functions/faults',
];
if (isFaultFound) it.todo('has nothing left to find');
else for (const file of files) require(`${file}.test.js`);
