import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { openLog } from '../../shared/log/log.js';
import { captureLog } from '../support/service/log.js';
import { copyForPackaging, filesOf, parseYaml, runAll, STAGE_NAMES, type Stage, type Template } from './packaging.js';
import { changed, idsOf, normalized, updateFaults } from './updates.js';

const project = copyForPackaging();
const packaged = {} as Record<Stage, Template>;

beforeAll(async () => {
  const command = (index: number) => `package --stage live --package packaged/${index}`;
  const runs = STAGE_NAMES.map((stage, index) => ({ command: command(index), files: filesOf(stage) }));
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  for (const [index, stage] of STAGE_NAMES.entries()) {
    const file = `${project}/packaged/${index}/cloudformation-template-update-stack.json`;
    packaged[stage] = JSON.parse(readFileSync(file, 'utf8'));
  }
});

describe('the template', () => {
  it.each(STAGE_NAMES)('refers only to what it has: %s', (stage) => {
    const { Resources, Outputs } = packaged[stage];
    const needed = Object.values(Resources).flatMap(({ DependsOn = [] }) => DependsOn);
    const references = /"(?:Ref":|Fn::GetAtt":\[)"([^":]+)"|\$\{(\w+)[.}]/g;
    const named = [...JSON.stringify([Resources, Outputs]).matchAll(references)].map(([, id, inText]) => id ?? inText);
    for (const id of [...needed, ...named]) expect(Object.keys(Resources)).toContain(id);
  });

  it.each<[Stage, string]>([
    ['items in a table', `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/live/`],
    ['an HTTP API', `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/`],
    // It ends with a slash.
    ['a function URL', `\${ApiLambdaFunctionUrl.FunctionUrl}`],
  ])('outputs the addresses of the API and the page: %s', (stage, base) => {
    const { ApiUrl, PageUrl } = packaged[stage].Outputs;
    const [list] = Object.keys(JSON.parse(readFileSync('docs/swagger.json', 'utf8')).paths);
    const urls = [ApiUrl, PageUrl].map((output) => output?.Value);
    expect(urls).toEqual([{ 'Fn::Sub': base + list?.slice(1) }, { 'Fn::Sub': `${base}swagger/ui` }]);
  });

  // API Gateway takes the most specific route, and compares letter by letter: what is spelled in another way needs a signature.
  it.each<[Stage, signed: string, open: string[]]>([
    [
      'signed calls, and another table',
      'ApiGatewayMethodProxyVarAny',
      ['ApiGatewayMethodAny', 'ApiGatewayMethodSwaggerProxyVarAny', 'ApiGatewayMethodProxyVarOptions'],
    ],
    ['signed calls of an HTTP API', '$default', ['ANY /', 'ANY /swagger/{proxy+}', 'OPTIONS /{proxy+}']],
  ])('opens just the page, the documents and OPTIONS to all: %s', (stage, signed, open) => {
    const routes = Object.entries(packaged[stage].Resources).flatMap(([id, { Type, Properties }]) =>
      /::(Method|Route)$/.test(Type) ? [[Properties.RouteKey ?? id, Properties.AuthorizationType ?? 'NONE']] : [],
    );
    const expected = [[signed, 'AWS_IAM'], ...open.map((route) => [route, 'NONE'])];
    expect(Object.fromEntries(routes)).toEqual(Object.fromEntries(expected));
  });

  it.each<[Kind, id: string, type: string, applied: boolean | undefined, Stage]>([
    ['busy', 'BusyResponse', 'INTEGRATION_FAILURE', false, 'items in memory'],
    // The function may have failed after it wrote.
    ['busy or failed', 'BusyResponse', 'INTEGRATION_FAILURE', undefined, 'items in a table'],
    ['throttled', 'ThrottledResponse', 'THROTTLED', false, 'items in a table'],
    ['timed out', 'TimeoutResponse', 'INTEGRATION_TIMEOUT', undefined, 'items in memory'],
    ['request too large', 'TooLargeResponse', 'REQUEST_TOO_LARGE', undefined, 'items in memory'],
    ['unknown method', 'UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', undefined, 'items in memory'],
    ['not signed', 'UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', undefined, 'signed calls, and another table'],
  ])('lets API Gateway answer by itself with a problem like those of the service: %s', (...row) => {
    const [kind, id, type, applied, stage] = row;
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    const { ResponseTemplates, ...response } = packaged[stage].Resources[id]?.Properties ?? {};
    expect(response).toMatchObject({ ResponseType: type, StatusCode: String(status) });
    expect(JSON.parse(ResponseTemplates['application/json'])).toEqual(JSON.parse(body));
    expect(JSON.parse(body).applied).toBe(applied);
  });

  it('counts the lines that the log has for failed requests', () => {
    const lines = captureLog();
    openLog('error').error?.('the collection is unavailable', {});
    jest.restoreAllMocks();
    const { FilterPattern } = packaged['items in a table'].Resources.ErrorLines?.Properties ?? {};
    expect(FilterPattern).toBe(`{ $.level = "${lines[0]?.level}" }`);
  });

  it('gives the function more time than the store takes, and less than the gateway waits', () => {
    const [, total = ''] = /\btotal: ([\d_]+)/.exec(sourcesIn('shared/dynamodb')) ?? [];
    const { Timeout } = packaged['items in a table'].Resources.ApiLambdaFunction?.Properties ?? {};
    expect(Timeout * 1_000).toBeGreaterThan(Number(total.replaceAll('_', '')));
    expect(Timeout).toBeLessThan(29);
  });

  it('lets the function do on the table just what the store does', () => {
    const calls = sourcesIn('shared/store').matchAll(
      /'((?:Batch|Delete|Get|Put|Query|Scan|Transact|Update)[A-Za-z]*)'/g,
    );
    const operations = [...new Set(Array.from(calls, ([, operation]) => `dynamodb:${operation}`))].sort();
    const { Policies } = packaged['items in a table'].Resources.ApiRole?.Properties ?? {};
    expect(Policies[1].PolicyDocument.Statement[0].Action).toEqual(operations);
  });
});

function sourcesIn(folder: string): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

describe('an update', () => {
  // All pairs take seconds.
  const from = process.env.CI ? STAGE_NAMES : (['items in memory', 'an HTTP API', 'a function URL'] as const);
  it.each(from)('to any parameters succeeds and loses nothing: from %s', (stage) => {
    for (const to of STAGE_NAMES) expect([to, updateFaults(packaged[stage], packaged[to])]).toEqual([to, []]);
  });

  it('to signed calls removes no open method, which would stay in the deployment of the API until the next update', () => {
    const methods = (stage: Stage) => idsOf(packaged[stage], 'AWS::ApiGateway::Method');
    expect(methods('items in a table')).toHaveLength(2);
    expect(methods('signed calls, and another table')).toEqual(expect.arrayContaining(methods('items in a table')));
  });
});

const tableYml = readFileSync('serverless/dynamodb-table.yml', 'utf8');
const tableStack = parseYaml(tableYml) as Template;

describe("the table's own stack", () => {
  it('keeps the table from loss, and has no ceiling of reads and writes unless one is asked for', () => {
    // Or the table is lost with its stack, with a property that can't be changed in place, or by mistake; or what was overwritten
    // can't be restored, what is left of deleted items is billed forever, or the service finds no table with its keys.
    const expected = parseYaml(`
      Parameters: { MaxReads: { Default: 0 }, MaxWrites: { Default: 0 } }
      Conditions:
        HasMaxReads: !Not [!Equals [!Ref MaxReads, 0]]
        HasMaxWrites: !Not [!Equals [!Ref MaxWrites, 0]]
        HasCeiling: !Or [{ Condition: HasMaxReads }, { Condition: HasMaxWrites }]
      Resources:
        Table:
          Type: AWS::DynamoDB::Table
          DeletionPolicy: Retain
          UpdateReplacePolicy: Retain
          Properties:
            DeletionProtectionEnabled: true
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true }
            TimeToLiveSpecification: { AttributeName: expires, Enabled: true }
            BillingMode: PAY_PER_REQUEST
            TableName: !Ref AWS::StackName
            KeySchema: [{ AttributeName: partition, KeyType: HASH }, { AttributeName: key, KeyType: RANGE }]
            OnDemandThroughput: !If
              - HasCeiling
              - MaxReadRequestUnits: !If [HasMaxReads, !Ref MaxReads, !Ref AWS::NoValue]
                MaxWriteRequestUnits: !If [HasMaxWrites, !Ref MaxWrites, !Ref AWS::NoValue]
              - !Ref AWS::NoValue`);
    expect(tableStack).toMatchObject(expected as object);
  });

  it('is adopted as the guide says, with its name written in the template, because AWS takes no reference there', () => {
    const guide = readFileSync('docs/dynamodb.md', 'utf8');
    const [, from = '?', to = '?'] = /sed 's\/(.*?)\/(.*?)\/' serverless\/dynamodb-table\.yml/.exec(guide) ?? [];
    const adopting = parseYaml(tableYml.replace(from, to));
    expect(adopting).toHaveProperty('Resources.Table.Properties.TableName', 'items-live');
  });
});

describe('an update is rejected by which', () => {
  it.each<[fault: string, changes: (before: Template) => object]>([
    ['ApiLogGroup is deleted, with what it keeps', () => ({ ApiLogGroup: undefined })],
    ['ApiLogGroup is replaced', () => ({ 'ApiLogGroup.Properties.LogGroupName': 'other' })],
    ["Renamed can't be made: ApiStage has ", (before) => ({ Renamed: before.Resources.ApiStage, ApiStage: undefined })],
  ])('%s', (fault, changes) => {
    const before = normalized(packaged['items in a table']);
    expect(updateFaults(before, changed(before, changes(before)))).toContainEqual(expect.stringContaining(fault));
  });
});
