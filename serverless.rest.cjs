const { alarm } = require('./serverless.alarms.cjs');
const TITLES = require('./shared/http/statuses.json');

/**
 * Makes what belongs to the REST API: its stage, what it answers by itself, its addresses, its log and its alarm.
 *
 * @param {object} serverless - What Serverless Framework hands to the functions that make its variables.
 * @returns {Promise<object>} A part of `resources`.
 */
module.exports = async ({ resolveVariable, resolveConfigurationProperty }) => {
  const { corsOrigins, accessLog, alarmEmail } = await resolveConfigurationProperty(['custom', 'parameters']);
  const retention = await resolveConfigurationProperty(['provider', 'logRetentionInDays']);
  const stage = await resolveVariable('sls:stage');
  const name = `${await resolveVariable('self:service')}-${stage}`;
  // The deployment's name in the template is new at each packaging.
  const deployment = `ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`;
  const logged = accessLog === 'true';
  return {
    Resources: {
      ApiStage: stageOf(stage, deployment, logged),
      ...Object.fromEntries(Object.entries(RESPONSES).map(([id, response]) => [id, responseOf(response, corsOrigins)])),
      ...(logged && { AccessLog: accessLogOf(name, retention) }),
      ...(alarmEmail && { FailuresAlarm: failuresAlarm(name, stage) }),
    },
    extensions: {
      [deployment]: {
        // A deployment is a copy of the API as it is at that moment.
        DependsOn: Object.keys(RESPONSES),
        // Serverless Framework has the deployment make the stage, which succeeds once. Null takes that out.
        Properties: { StageName: null },
      },
    },
    Outputs: {
      ApiUrl: { Description: 'The list of to-do items', Value: addressOf(stage, '/api/todo') },
      PageUrl: { Description: 'The page to try the API out', Value: addressOf(stage, '/swagger/ui') },
    },
  };
};

/** What API Gateway answers by itself. The other types of responses keep their own status. */
const RESPONSES = {
  // Lambda refused the call because the one instance has another request at hand; or the function failed.
  BusyResponse: {
    type: 'INTEGRATION_FAILURE',
    status: 503,
    detail: 'The service is busy with another request. Try again in a second.',
  },
  ThrottledResponse: {
    type: 'THROTTLED',
    status: 429,
    detail: 'There are more requests than the stage admits. Try again in a second.',
  },
  TimeoutResponse: { type: 'INTEGRATION_TIMEOUT', status: 504, detail: 'The service did not answer in time.' },
  TooLargeResponse: {
    type: 'REQUEST_TOO_LARGE',
    status: 413,
    detail: 'The request is larger than the gateway takes.',
  },
  // It asks for a token whenever no method matches, and the methods here need none.
  UnroutedResponse: {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 404,
    detail: 'No route matches this method and path.',
  },
  ClientErrorResponse: { type: 'DEFAULT_4XX' },
  ServerErrorResponse: { type: 'DEFAULT_5XX' },
};

/** A problem (RFC 9457). Only 429 and 503 pass by themselves; where CORS is on, any page may read all of them. */
function responseOf({ type, status, detail }, corsOrigins) {
  const retry = [429, 503].includes(status);
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(retry && { 'Retry-After': '1' }),
    ...(corsOrigins && { 'Access-Control-Allow-Origin': '*' }),
    ...(corsOrigins && retry && { 'Access-Control-Expose-Headers': 'Retry-After' }),
  };
  const parameters = Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  const title = status && { title: TITLES[status], status };
  // API Gateway puts the quotes around its own words.
  const own = '$context.error.messageString';
  const problem = { type: 'about:blank', ...title, detail: detail ?? own, requestId: '$context.requestId' };
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType: type,
      ...(status && { StatusCode: String(status) }),
      ResponseParameters: Object.fromEntries(parameters),
      ResponseTemplates: { 'application/json': JSON.stringify(problem).replace(`"${own}"`, own) },
    },
  };
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
  duration: '$context.responseLatency',
  bytes: '$context.responseLength',
};

/** Not named /aws/api-gateway/SERVICE-STAGE: Serverless Framework deletes the group of that name at each deployment. */
function accessLogOf(name, retention) {
  return {
    Type: 'AWS::Logs::LogGroup',
    // Said aloud, since it goes when the parameter goes.
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
  return alarm('A tenth of all requests or more, and at least ten, are answered with 5xx: see the logs.', 10, {
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
