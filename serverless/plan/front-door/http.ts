import type { Stage } from '../stage.js';
import { makeAccessLog } from './access-log.js';
import type { FrontDoor } from './front-door.js';

export function makeHttpApi(stage: Stage): FrontDoor {
  const { signedCalls, throttle } = stage;
  const { resources, settings } = makeAccessLog(stage);
  return {
    events: signedCalls ? SIGNED : [{ httpApi: '*' }],
    url: false,
    base: `https://\${HttpApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/`,
    target: { ApiId: { Ref: 'HttpApi' }, Stage: { Ref: 'HttpApiStage' } },
    resources,
    extensions: {
      // Also set when it is off, as in the route below.
      HttpApi: { Properties: { DisableExecuteApiEndpoint: !stage.defaultAddress } },
      // An update of the integration is live at once, so it may call the alias by then.
      HttpApiIntegrationApi: { DependsOn: ['ApiLambdaPermissionHttpApi'] },
      // Always set, because an update may leave a property as it was if the template lacks it.
      HttpApiRouteDefault: { Properties: { AuthorizationType: signedCalls ? 'AWS_IAM' : 'NONE' } },
      HttpApiStage: {
        Properties: {
          // Slows down a flood of requests, and limits its cost.
          DefaultRouteSettings: { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst },
          ...(settings && { AccessLogSettings: settings }),
        },
      },
    },
    metrics: {
      namespace: 'AWS/ApiGateway',
      dimensions: { ApiId: { Ref: 'HttpApi' } },
      requests: 'Count',
      clientErrors: '4xx',
      serverErrors: '5xx',
    },
  };
}

/** All paths need a signature except the page, the documents and OPTIONS, as on a REST API. */
const SIGNED = [
  { httpApi: { path: '/', method: '*' } },
  { httpApi: { path: '/swagger/{proxy+}', method: '*' } },
  { httpApi: { path: '/{proxy+}', method: 'options' } },
  { httpApi: '*' },
];
