// The tests that take no more than seconds, the quickest first, in one file: what they share is loaded once for each fault.
const files = [
  ...['dispatcher', 'request', 'schema', 'template', 'tree'].map((name) => `../shared/http/${name}`),
  ...['function-url', 'gateway', 'http-api', 'prefix', 'rest'].map((name) => `../shared/gateway/${name}`),
  '../shared/dynamodb/call',
  '../shared/log',
  '../shared/stack',
  '../shared/todo/demand',
  '../shared/todo/later',
  '../shared/todo/rows',
  '../shared/todo/store',
  ...['configuration', 'api', 'recorded', 'conditions', 'cors', 'todo', 'list', 'order', 'swagger', 'capacity'].map(
    (name) => `../functions/${name}`,
  ),
  '../shared/http/cross-site',
  '../abuse/requests',
];
for (const file of files) require(`${file}.test.js`);
