const { paths } = require('../docs/swagger.json');
const { alarm } = require('./alarms.cjs');
const { makeResponses } = require('./responses.cjs');

/**
 * Makes what belongs to the REST API: its stage, what it answers by itself, its addresses, its log and its alarm.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} A part of `resources`.
 */
module.exports = async ({ resolveVariable, resolveConfigurationProperty }) => {
  const { corsOrigins, table, accessLog, alarmEmail } = await resolveConfigurationProperty(['custom', 'parameters']);
  const retention = await resolveConfigurationProperty(['provider', 'logRetentionInDays']);
  const stage = await resolveVariable('sls:stage');
  const name = `${await resolveVariable('self:service')}-${stage}`;
  // The deployment's name in the template is new at each packaging.
  const deployment = `ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`;
  const logged = accessLog === 'true';
  const functions = await resolveConfigurationProperty(['functions']);
  const signed = Object.values(functions).some(({ events }) => events?.some(needsSignature));
  const responses = makeResponses(corsOrigins !== '', table === '', signed);
  return {
    Resources: {
      ApiStage: stageOf(stage, deployment, logged),
      ...responses,
      ...(logged && { AccessLog: accessLogOf(name, retention) }),
      ...(alarmEmail && { FailuresAlarm: failuresAlarm(name, stage) }),
    },
    extensions: {
      [deployment]: {
        // A deployment is a copy of the API as it is at that moment.
        DependsOn: Object.keys(responses),
        // Serverless Framework has the deployment make the stage, which is made above. Null takes that out.
        Properties: { StageName: null },
      },
    },
    Outputs: {
      ApiUrl: { Description: 'The list of items', Value: addressOf(stage, Object.keys(paths)[0]) },
      PageUrl: { Description: 'The page to try the API out', Value: addressOf(stage, '/swagger/ui') },
    },
  };
};

function needsSignature({ http }) {
  const type = http?.authorizer?.type ?? http?.authorizer;
  return String(type).toLowerCase() === 'aws_iam';
}

/** A resource of its own, which each update moves on to that packaging's deployment. */
function stageOf(stage, deployment, logged) {
  return {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      DeploymentId: { Ref: deployment },
      StageName: stage,
      // Slows down a flood of requests, and with it what that costs.
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 }],
      ...(logged && {
        AccessLogSetting: { DestinationArn: { 'Fn::GetAtt': ['AccessLog', 'Arn'] }, Format: JSON.stringify(LINE) },
      }),
    },
  };
}

/** A line of the access log. Like the function's own lines, it has neither path nor address. */
const LINE = {
  timestamp: '$context.requestTime',
  requestId: '$context.requestId',
  method: '$context.httpMethod',
  status: '$context.status',
  error: '$context.error.responseType',
  // The same as in the function's log. Lambda's status is 429 where the instance was busy; where the function failed, it is
  // 200, and there is an error.
  awsRequestId: '$context.integration.requestId',
  integrationStatus: '$context.integration.status',
  integrationError: '$context.integration.error',
  duration: '$context.responseLatency',
  bytes: '$context.responseLength',
};

/** Not named /aws/api-gateway/SERVICE-STAGE: Serverless Framework deletes the group of that name at each deployment. */
function accessLogOf(name, retention) {
  return {
    Type: 'AWS::Logs::LogGroup',
    // Explicit, because the log is deleted with the parameter.
    DeletionPolicy: 'Delete',
    UpdateReplacePolicy: 'Delete',
    Properties: { LogGroupName: `/aws/api-gateway/${name}-access`, RetentionInDays: retention },
  };
}

/** Some 503 are normal while one instance answers one request at a time: a tenth of all requests is not. */
function failuresAlarm(name, stage) {
  const sum = (metric) => ({
    Metric: {
      Namespace: 'AWS/ApiGateway',
      MetricName: metric,
      Dimensions: [
        { Name: 'ApiName', Value: name },
        { Name: 'Stage', Value: stage },
      ],
    },
    Period: 300,
    Stat: 'Sum',
  });
  return alarm('At least a tenth of all requests, and at least ten, returned 5xx: see the logs.', 10, {
    Metrics: [
      { Id: 'failed', MetricStat: sum('5XXError'), ReturnData: false },
      { Id: 'requests', MetricStat: sum('Count'), ReturnData: false },
      { Id: 'share', Expression: 'IF(failed >= 10, 100 * failed / requests, 0)', ReturnData: true },
    ],
  });
}

function addressOf(stage, path) {
  return {
    'Fn::Sub': `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage}${path}`,
  };
}
