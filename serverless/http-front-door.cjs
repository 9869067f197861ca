const { makeAccessLog } = require('./access-log.cjs');
const { failuresAlarm } = require('./alarms.cjs');

/** Makes an HTTP API: its routes, its throttle, its log and its alarm. */
module.exports = ({ signedCalls, accessLog, alarmEmail, name, retention }) => {
  const { resources, settings } = makeAccessLog(accessLog, name, retention);
  const dimensions = { ApiId: { Ref: 'HttpApi' } };
  return {
    events: signedCalls === 'true' ? SIGNED : [{ httpApi: '*' }],
    base: `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/`,
    resources: {
      Resources: {
        ...resources,
        ...(alarmEmail && { FailuresAlarm: failuresAlarm('AWS/ApiGateway', '5xx', 'Count', dimensions) }),
      },
      extensions: {
        // Said either way, because an update may leave a route as it is that says nothing.
        HttpApiRouteDefault: { Properties: { AuthorizationType: signedCalls === 'true' ? 'AWS_IAM' : 'NONE' } },
        HttpApiStage: {
          Properties: {
            // Slows down a flood of requests, and with it what that costs.
            DefaultRouteSettings: { ThrottlingRateLimit: 100, ThrottlingBurstLimit: 50 },
            ...(settings && { AccessLogSettings: settings }),
          },
        },
      },
    },
  };
};

/** All paths need a signature but the page, the documents and OPTIONS, as on a REST API. */
const SIGNED = [
  { httpApi: { path: '/', method: '*' } },
  { httpApi: { path: '/swagger/{proxy+}', method: '*' } },
  { httpApi: { path: '/{proxy+}', method: 'options' } },
  { httpApi: '*' },
];
