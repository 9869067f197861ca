import type { Stage } from '../stage.js';
import { makeAccessLog } from './access-log.js';
import type { FrontDoor } from './front-door.js';
import { makeResponses } from './responses.js';

/** Makes a REST API: its methods, its stage with throttle and log, and what it answers by itself. */
export function makeRestApi(stage: Stage): FrontDoor {
  const responses = makeResponses(stage);
  const { resources, settings } = makeAccessLog(stage);
  return {
    events: stage.signedCalls ? SIGNED : OPEN,
    url: false,
    base: `https://\${ApiGatewayRestApi}.execute-api.\${AWS::Region}.\${AWS::URLSuffix}/${stage.stage}/`,
    target: { ApiId: { Ref: 'ApiGatewayRestApi' }, Stage: { Ref: 'ApiStage' } },
    resources: { ApiStage: apiStage(stage, settings), ...responses, ...resources },
    extensions: {
      // Also set when it is off, because an update may leave a property as it was that the template lacks. It takes effect with the next
      // deployment of the API.
      ApiGatewayRestApi: { Properties: { DisableExecuteApiEndpoint: !stage.defaultAddress } },
      [stage.deployment]: {
        // A deployment is a copy of the API as it is at that moment.
        DependsOn: Object.keys(responses),
        // Serverless Framework has the deployment make the stage, which is made above. Null takes that out.
        Properties: { StageName: null },
      },
    },
    metrics: {
      namespace: 'AWS/ApiGateway',
      dimensions: { ApiName: stage.name, Stage: stage.stage },
      requests: 'Count',
      clientErrors: '4XXError',
      serverErrors: '5XXError',
    },
  };
}

const OPEN = [{ http: { path: '/', method: 'any' } }, { http: { path: '/{proxy+}', method: 'any' } }];

/**
 * All paths need a signature but the page, the documents and OPTIONS, because the function takes more spellings of a path than API
 * Gateway, which compares letter by letter. Both lists have the same method for all other requests, so no open method is removed
 * when `signedCalls` changes. A removed one would still answer: the API's deployment is a copy that is made before the removal.
 */
const SIGNED = [
  { http: { path: '/', method: 'any' } },
  { http: { path: '/swagger/{proxy+}', method: 'any' } },
  { http: { path: '/{proxy+}', method: 'options' } },
  { http: { path: '/{proxy+}', method: 'any', authorizer: 'aws_iam' } },
];

/** The API's stage, a resource of its own. Each update points it to the deployment that was packaged with it. */
function apiStage({ deployment, stage, throttle, tracing }: Stage, AccessLogSetting: object | undefined): object {
  // Slows down a flood of requests, and with it what that costs.
  const limits = { ThrottlingRateLimit: throttle.rate, ThrottlingBurstLimit: throttle.burst };
  return {
    Type: 'AWS::ApiGateway::Stage',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      DeploymentId: { Ref: deployment },
      StageName: stage,
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ...limits }],
      ...(AccessLogSetting && { AccessLogSetting }),
      ...(tracing && { TracingEnabled: true }),
    },
  };
}
