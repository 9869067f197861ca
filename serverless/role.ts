import { NO_VALUE, type Resources } from './cloudformation.js';
import type { Stage } from './stage.js';

/** Makes the function's role. All that the function does on AWS is write its log, and work on the table where there is one. */
export function makeRole({ table, permissionsBoundary }: Stage): Resources {
  const lambda = { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const log = policy('log', ['logs:CreateLogStream', 'logs:PutLogEvents'], { 'Fn::GetAtt': ['ApiLogGroup', 'Arn'] });
  return {
    ApiRole: {
      Type: 'AWS::IAM::Role',
      Properties: {
        PermissionsBoundary: permissionsBoundary ?? NO_VALUE,
        AssumeRolePolicyDocument: { Version: VERSION, Statement: [lambda] },
        Policies: table ? [log, policy('table', TABLE_ACTIONS, tableArn(table))] : [log],
      },
    },
  };
}

const VERSION = '2012-10-17';

const TABLE_ACTIONS = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'];

function tableArn(table: string): object {
  return { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}` };
}

function policy(name: string, actions: readonly string[], resource: object): object {
  const Statement = [{ Effect: 'Allow', Action: actions, Resource: resource }];
  return { PolicyName: name, PolicyDocument: { Version: VERSION, Statement } };
}
