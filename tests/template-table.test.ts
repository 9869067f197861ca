import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makePart, makeParts } from './support/derived.js';

const TABLE = { todoTable: 'todo-items' };

describe('the table', () => {
  const properties = {
    TableName: 'todo-items',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'resource', AttributeType: 'S' },
      { AttributeName: 'key', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'resource', KeyType: 'HASH' },
      { AttributeName: 'key', KeyType: 'RANGE' },
    ],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
    DeletionProtectionEnabled: true,
    SSESpecification: { SSEEnabled: false },
  };

  it('is kept from loss, unless told otherwise', async () => {
    expect((await makeParts(TABLE)).TodoTable).toEqual({
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: properties,
    });
    expect((await makeParts({ ...TABLE, tableRemoval: 'Delete' })).TodoTable).toEqual({
      Type: 'AWS::DynamoDB::Table',
      DeletionPolicy: 'Delete',
      UpdateReplacePolicy: 'Delete',
      Properties: { ...properties, DeletionProtectionEnabled: false },
    });
  });

  it("is encrypted by DynamoDB's own key, unless told otherwise", async () => {
    const { TodoTable } = await makeParts({ ...TABLE, tableKey: 'aws-managed' });
    expect(TodoTable?.Properties).toEqual({ ...properties, SSESpecification: { SSEEnabled: true } });
  });

  it('is there only where it is named', async () => {
    expect(await makePart('table', {})).toEqual({});
  });

  it('lets the role do on this table what the store does, and nothing else, before the function is called', async () => {
    const { Resources, extensions } = await makePart('table', TABLE);
    expect(Resources?.TodoTablePolicy?.Properties).toEqual({
      PolicyName: 'table',
      Roles: [{ Ref: 'ApiRole' }],
      PolicyDocument: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'],
            Resource: { 'Fn::GetAtt': ['TodoTable', 'Arn'] },
          },
        ],
      },
    });
    expect(extensions).toEqual({ ApiLambdaFunction: { DependsOn: ['TodoTablePolicy'] } });
    expect(operationsIn(STORE)).toEqual(['GetItem', 'PutItem', 'Query']);
  });
});

const STORE = 'shared/store';

/** The operations of DynamoDB whose names stand in the files of a folder. */
function operationsIn(folder: string): string[] {
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = sources.join('\n').matchAll(/'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g);
  return [...new Set(Array.from(named, ([, operation]) => operation as string))].sort();
}
