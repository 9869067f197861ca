const { failuresAlarm } = require('./alarms.cjs');

/** Makes a function URL, and its alarm. AWS has neither a throttle nor a log for it. */
module.exports = ({ alarmEmail }) => ({
  events: [],
  url: true,
  base: `\${ApiLambdaFunctionUrl.FunctionUrl}`,
  resources: {
    Resources: {
      ...(alarmEmail && {
        FailuresAlarm: failuresAlarm('AWS/Lambda', 'Url5xxCount', 'UrlRequestCount', {
          FunctionName: { Ref: 'ApiLambdaFunction' },
        }),
      }),
    },
  },
});
