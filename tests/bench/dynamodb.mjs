// A DynamoDB in a process of its own, so that its work isn't counted as a handler's: says its port on standard output,
// creates the tables that are asked for, and ends with its standard input.
import { once } from 'node:events';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

/** The keys of the service's table, the partition key first. */
const KEYS = ['resource', 'key'];
/** Those of the other implementation, which has a table of its own. */
const OTHER_KEYS = ['resource', 'key'];

const server = dynalite({ createTableMs: 0, ssl: true });
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const endpoint = `https://127.0.0.1:${server.address().port}`;
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const client = new DynamoDBClient({ endpoint, region: 'eu-central-1', credentials });
for (const name of process.argv.slice(2)) {
  const keys = name.startsWith('ours') ? KEYS : OTHER_KEYS;
  await client.send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: keys.map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: keys.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' })),
    }),
  );
}
process.stdout.write(`${endpoint}\n`);
process.stdin.on('end', () => process.exit()).resume();
