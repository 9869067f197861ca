import type { Stage } from '../stage.js';
import { makeAccessLog } from './access-log.js';
import type { FrontDoor } from './front-door.js';
import { makeResponses } from './responses.js';

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
      // Always set, because an update may leave a property as it was if the template lacks it. It takes effect with the
      // next deployment of the API.
      ApiGatewayRestApi: { Properties: { DisableExecuteApiEndpoint: !stage.defaultAddress } },
      [stage.deployment]: {
        // A deployment is a copy of the API as it is at that moment.
        DependsOn: Object.keys(responses),
        // Serverless Framework has the deployment make the stage, which is made above. Null removes that.
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
 * All paths need a signature except the page, the documents and OPTIONS, because the function takes more spellings of a
 * path than API Gateway, which compares letter by letter. Both lists have the same method for all other requests, so no
 * open method is removed when `signedCalls` changes. A removed one would still answer, because the API's deployment is
 * a copy from before the removal.
 */
const SIGNED = [
  { http: { path: '/', method: 'any' } },
  { http: { path: '/swagger/{proxy+}', method: 'any' } },
  { http: { path: '/{proxy+}', method: 'options' } },
  { http: { path: '/{proxy+}', method: 'any', authorizer: 'aws_iam' } },
];

/** A resource of the stack. Each update points it to the deployment that was packaged with it. */
function apiStage({ deployment, stage, throttle, tracing }: Stage, AccessLogSetting: object | undefined): object {
  // Slows down a flood of requests, and limits its cost.
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
