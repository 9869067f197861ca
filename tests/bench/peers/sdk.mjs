import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { flaw } from './items.mjs';

// The table as AWS's documentation has one do it: the same calls as the service's own, by the SDK's document client.

const TableName = process.env.TODO_TABLE;
const resource = 'todo';
const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const headers = { 'Content-Type': 'application/json' };
const NOT_FOUND = { statusCode: 404, headers, body: '{"message":"Not Found"}' };

export async function handler({ httpMethod, path, body }) {
  if (path === '/api/todo') return httpMethod === 'POST' ? post(JSON.parse(body)) : list();
  const row = await find(path.slice('/api/todo/'.length));
  if (!row) return NOT_FOUND;
  if (httpMethod === 'PUT') return put(row, JSON.parse(body));
  if (httpMethod === 'DELETE') return remove(row);
  return { statusCode: 200, headers: { ...headers, ETag: `"${row.version}"` }, body: JSON.stringify(itemOf(row)) };
}

async function find(key) {
  return (await client.send(new GetCommand({ TableName, Key: { resource, key }, ConsistentRead: true }))).Item;
}

async function list() {
  const items = [];
  let ExclusiveStartKey;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#resource = :resource',
        ExpressionAttributeNames: { '#resource': 'resource' },
        ExpressionAttributeValues: { ':resource': resource },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    for (const row of page.Items) items.push(itemOf(row));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return { statusCode: 200, headers, body: JSON.stringify(items) };
}

async function post({ name, isComplete = false }) {
  const message = flaw({ name, isComplete });
  if (message) return { statusCode: 400, headers, body: JSON.stringify({ message }) };
  const row = { resource, key: randomUUID(), name, isComplete, version: 1 };
  await client.send(
    new PutCommand({
      TableName,
      Item: row,
      ConditionExpression: 'attribute_not_exists(#key)',
      ExpressionAttributeNames: { '#key': 'key' },
    }),
  );
  const Location = `/api/todo/${row.key}`;
  return { statusCode: 201, headers: { ...headers, ETag: '"1"', Location }, body: JSON.stringify(itemOf(row)) };
}

async function put(row, { key, name, isComplete = false }) {
  const message = flaw({ key, name, isComplete }, row.key);
  if (message) return { statusCode: 400, headers, body: JSON.stringify({ message }) };
  await client.send(
    new PutCommand({
      TableName,
      Item: { resource, key, name, isComplete, version: row.version + 1 },
      ConditionExpression: '#version = :version',
      ExpressionAttributeNames: { '#version': 'version' },
      ExpressionAttributeValues: { ':version': row.version },
    }),
  );
  return { statusCode: 204, headers: {}, body: '' };
}

async function remove({ key }) {
  await client.send(new DeleteCommand({ TableName, Key: { resource, key } }));
  return { statusCode: 204, headers: {}, body: '' };
}

function itemOf({ key, name, isComplete }) {
  return { key, name, isComplete };
}
