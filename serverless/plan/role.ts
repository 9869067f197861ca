import { NO_VALUE, type Resources, type Stage } from './stage.js';

/**
 * The function's role, unless the stage names another one. It may only write its log, work on its table, and send
 * traces.
 */
export function makeRole({ table, tracing, permissionsBoundary, functionRole }: Stage): Resources {
  if (functionRole) return {};
  const lambda = { Effect: 'Allow', Principal: { Service: 'lambda.amazonaws.com' }, Action: 'sts:AssumeRole' };
  const log = policy('log', ['logs:CreateLogStream', 'logs:PutLogEvents'], { 'Fn::GetAtt': ['ApiLogGroup', 'Arn'] });
  return {
    [ROLE]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        PermissionsBoundary: permissionsBoundary ?? NO_VALUE,
        AssumeRolePolicyDocument: { Version: VERSION, Statement: [lambda] },
        Policies: [
          log,
          ...(table ? [policy('table', TABLE_ACTIONS, tableArn(table))] : []),
          // AWS knows no resource for these.
          ...(tracing ? [policy('traces', TRACE_ACTIONS, '*')] : []),
        ],
      },
    },
  };
}

export const ROLE = 'ApiRole';

const VERSION = '2012-10-17';

const TRACE_ACTIONS = ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'];

const TABLE_ACTIONS = ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query'];

function tableArn(table: string): object {
  return { 'Fn::Sub': `arn:\${AWS::Partition}:dynamodb:\${AWS::Region}:\${AWS::AccountId}:table/${table}` };
}

function policy(name: string, actions: readonly string[], resource: object | '*'): object {
  const Statement = [{ Effect: 'Allow', Action: actions, Resource: resource }];
  return { PolicyName: name, PolicyDocument: { Version: VERSION, Statement } };
}
