// The tests of the store in a table, for the faults that all others miss.
const files = ['../shared/dynamodb/send', '../functions/table', '../functions/instances', '../functions/faults'];
for (const file of files) require(`${file}.test.js`);
