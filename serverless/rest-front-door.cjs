const { makeAccessLog } = require('./access-log.cjs');
const { failuresAlarm } = require('./alarms.cjs');
const { makeResponses } = require('./responses.cjs');

/** Makes a REST API: its methods, its stage, what it answers by itself, its log and its alarm. */
module.exports = ({ corsOrigins, table, signedCalls, accessLog, alarmEmail, stage, name, retention, deployment }) => {
  const responses = makeResponses(corsOrigins !== '', table === '', signedCalls === 'true');
  const { resources, settings } = makeAccessLog(accessLog, name, retention);
  const dimensions = { ApiName: name, Stage: stage };
  return {
    events: signedCalls === 'true' ? SIGNED : OPEN,
    base: `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage}/`,
    resources: {
      Resources: {
        ApiStage: stageOf(stage, deployment, settings),
        ...responses,
        ...resources,
        ...(alarmEmail && { FailuresAlarm: failuresAlarm('AWS/ApiGateway', '5XXError', 'Count', dimensions) }),
      },
      extensions: {
        [deployment]: {
          // A deployment is a copy of the API as it is at that moment.
          DependsOn: Object.keys(responses),
          // Serverless Framework has the deployment make the stage, which is made above. Null takes that out.
          Properties: { StageName: null },
        },
      },
    },
  };
};

const OPEN = [{ http: { path: '/', method: 'any' } }, { http: { path: '/{proxy+}', method: 'any' } }];

/**
 * All paths need a signature but the page, the documents and OPTIONS: the function takes more spellings of a path than API
 * Gateway, which compares letter by letter. The method that all other requests come to is the same in both lists. So a change
 * between them removes no method that was open: it would stay open in the deployment, which is made before it is removed.
 */
const SIGNED = [
  { http: { path: '/', method: 'any' } },
  { http: { path: '/swagger/{proxy+}', method: 'any' } },
  { http: { path: '/{proxy+}', method: 'options' } },
  { http: { path: '/{proxy+}', method: 'any', authorizer: 'aws_iam' } },
];

/** A resource of its own, which each update moves on to that packaging's deployment. */
function stageOf(stage, deployment, AccessLogSetting) {
  return {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      DeploymentId: { Ref: deployment },
      StageName: stage,
      // Slows down a flood of requests, and with it what that costs.
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 }],
      ...(AccessLogSetting && { AccessLogSetting }),
    },
  };
}
