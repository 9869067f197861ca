import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { errorIn } from './todo.mjs';

// The table as AWS's documentation has one do it: the same calls as the service's own, by the SDK's document client.

const TableName = process.env.TABLE_NAME;
const partition = 'todo';
const client = DynamoDBDocumentClient.from(new DynamoDBClient());
const headers = { 'Content-Type': 'application/json' };

export async function handler({ httpMethod, path, body }) {
  if (path === '/api/todo') return httpMethod === 'POST' ? post(JSON.parse(body)) : list();
  const Key = { partition, key: path.slice('/api/todo/'.length) };
  const { Item: row } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  if (!row) return { statusCode: 404, headers, body: '{"message":"Not Found"}' };
  if (httpMethod === 'PUT') return put(row, JSON.parse(body));
  if (httpMethod === 'GET') return answer(200, itemOf(row), { ETag: `"${row.version}"` });
  await client.send(new DeleteCommand({ TableName, Key }));
  return { statusCode: 204, headers: {}, body: '' };
}

async function list() {
  const items = [];
  let ExclusiveStartKey;
  do {
    const page = await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: '#partition = :partition',
        ExpressionAttributeNames: { '#partition': 'partition' },
        ExpressionAttributeValues: { ':partition': partition },
        ConsistentRead: true,
        ExclusiveStartKey,
      }),
    );
    for (const row of page.Items) items.push(itemOf(row));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return answer(200, items);
}

async function post({ name, isComplete = false }) {
  const message = errorIn({ name, isComplete });
  if (message) return answer(400, { message });
  const row = { partition, key: randomUUID(), name, isComplete, version: 1 };
  await write(row, 'attribute_not_exists(#key)', { ExpressionAttributeNames: { '#key': 'key' } });
  return answer(201, itemOf(row), { ETag: '"1"', Location: `/api/todo/${row.key}` });
}

async function put(row, { key, name, isComplete = false }) {
  const message = errorIn({ key, name, isComplete }, row.key);
  if (message) return answer(400, { message });
  await write({ partition, key, name, isComplete, version: row.version + 1 }, '#version = :version', {
    ExpressionAttributeNames: { '#version': 'version' },
    ExpressionAttributeValues: { ':version': row.version },
  });
  return { statusCode: 204, headers: {}, body: '' };
}

function write(Item, ConditionExpression, names) {
  return client.send(new PutCommand({ TableName, Item, ConditionExpression, ...names }));
}

function itemOf({ key, name, isComplete }) {
  return { key, name, isComplete };
}

function answer(statusCode, content, more) {
  return { statusCode, headers: { ...headers, ...more }, body: JSON.stringify(content) };
}
