import { expect, it } from '@jest/globals';
import { normalized } from '../../serverless/changes/deployed-stack.js';
import { committedTemplate } from './templates.js';
import { changed, updateFaults } from './updates.js';

const table = committedTemplate('table');
const stage = committedTemplate('rest-signed');
const { ApiStage, AlarmSubscription } = stage.Resources;

it.each<[fault: string, from: typeof stage, changes: object]>([
  ['ApiLogGroup is deleted, with what it keeps', stage, { ApiLogGroup: undefined }],
  ['ApiLogGroup is replaced', stage, { 'ApiLogGroup.Properties.LogGroupName': 'other' }],
  ["Renamed can't be made: ApiStage has ", stage, { Renamed: ApiStage, ApiStage: undefined }],
  ['ApiStage changes its type, which was ', stage, { 'ApiStage.Type': 'AWS::ApiGatewayV2::Stage' }],
  ['Table is replaced', table, { 'Table.Properties.KeySchema.0.AttributeName': 'owner' }],
  [
    'ApiLambdaFunctionUrl is replaced, and with it the address that callers have',
    committedTemplate('url-sign-in'),
    { 'ApiLambdaFunctionUrl.Properties.TargetFunctionArn': { 'Fn::GetAtt': ['ApiLambdaFunction', 'Arn'] } },
  ],
  ["Renamed can't be made: ApiAlias has ", stage, { Renamed: stage.Resources.ApiAlias, ApiAlias: undefined }],
  ["Items can't be made: Table has ", table, { Items: table.Resources.Table, Table: undefined }],
])('an update is found in which %s', (fault, from, changes) => {
  expect(updateFaults(from, changed(from, changes))).toContainEqual(expect.stringContaining(fault));
});

it.each<[what: string, changes: object]>([
  ['another address, which can only be replaced', { 'AlarmSubscription.Properties.Endpoint': 'someone@example.com' }],
  ['a log that the parameter takes away', { AccessLog: undefined, 'ApiStage.Properties.AccessLogSetting': undefined }],
  ['nobody who is mailed', { AlarmSubscription: undefined }],
])('no fault is found in an update to %s', (_what, changes) => {
  expect(AlarmSubscription).toBeDefined();
  expect(updateFaults(stage, changed(stage, changes))).toEqual([]);
});

it('a dashboard has a name, so that another can take its place only under another', () => {
  const { Dashboard } = committedTemplate('http-signed').Resources;
  const from = committedTemplate('http-signed');
  const to = changed(from, { Overview: Dashboard, Dashboard: undefined });
  expect(updateFaults(from, to)).toEqual([expect.stringContaining("Overview can't be made: Dashboard has ")]);
});

it('a type of resource of which nothing is known is an error that says where to add it', () => {
  const unknown = changed(stage, { Queue: { Type: 'AWS::SQS::Queue', Properties: {} } });
  const message = 'AWS::SQS::Queue is unknown: add it to tests/deployment/resource-types.ts, with its names and rights';
  expect(() => updateFaults(stage, unknown)).toThrow(message);
});

it('a template is compared without the time of its packaging alone: a changed part of the deployment is seen', () => {
  const packagedAt = (time: string, id: string, description: string) => ({
    Outputs: {},
    Resources: {
      [`ApiGatewayDeployment${id}`]: { Type: 'AWS::ApiGateway::Deployment', Properties: { Description: description } },
      Stage: { Type: 'AWS::ApiGateway::Stage', Properties: { DeploymentId: { Ref: `ApiGatewayDeployment${id}` } } },
      Code: { Type: 'AWS::Lambda::Function', Properties: { S3Key: `a/live/${time}/a.zip` } },
    },
  });
  const one = normalized(packagedAt('1700000000000-2023-11-14T22:13:20.000Z', 'abc', 'one'));
  expect(normalized(packagedAt('1800000000000-2027-01-15T08:00:00.000Z', 'xyz', 'one'))).toEqual(one);
  expect(normalized(packagedAt('1700000000000-2023-11-14T22:13:20.000Z', 'abc', 'two'))).not.toEqual(one);
});
