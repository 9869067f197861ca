// A DynamoDB in a process of its own with the tables that are asked for, which tells its address when they are there:
// node dynamodb.mjs TABLE ...
import { once } from 'node:events';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import dynalite from 'dynalite';

const server = dynalite({ createTableMs: 0, ssl: true }).listen(0, '127.0.0.1');
await once(server, 'listening');
const endpoint = `https://127.0.0.1:${server.address().port}`;
const client = new DynamoDBClient({ endpoint });
for (const TableName of process.argv.slice(2)) {
  await client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['resource', 'key'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
      KeySchema: [
        { AttributeName: 'resource', KeyType: 'HASH' },
        { AttributeName: 'key', KeyType: 'RANGE' },
      ],
    }),
  );
}
process.send(endpoint);
process.on('disconnect', () => process.exit());
