// The tests that take no more than seconds, the quickest first, in one file: what they share is loaded once for each fault.
const folders: Readonly<Record<string, readonly string[]>> = {
  'shared/routing': ['template', 'tree', 'dispatcher'],
  'shared/schema': ['check', 'read'],
  'shared/http': ['request', 'body', 'negotiate', 'precondition', 'query'],
  'shared/gateway': ['function-url', 'gateway', 'http-api', 'prefix', 'rest'],
  'shared/store': ['key', 'queue', 'size', 'lazy', 'row', 'store'],
  'shared/dynamodb': ['retry'],
  shared: ['log', 'stack'],
  functions: ['configuration', 'api', 'recorded', 'conditions', 'cors', 'todo', 'list', 'swagger', 'more-members'],
  abuse: ['requests'],
};
const files = Object.entries(folders).flatMap(([folder, names]) => names.map((name) => `../${folder}/${name}`));
for (const file of [...files, '../shared/http/cross-site']) require(`${file}.test.js`);
