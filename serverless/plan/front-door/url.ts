import type { FrontDoor } from './front-door.js';

/** AWS has neither a throttle nor a log for a function URL. */
export function makeFunctionUrl(): FrontDoor {
  return {
    events: [],
    url: true,
    base: `\${ApiLambdaFunctionUrl.FunctionUrl}`,
    target: undefined,
    resources: {},
    extensions: {},
    metrics: {
      namespace: 'AWS/Lambda',
      dimensions: { FunctionName: { Ref: 'ApiLambdaFunction' } },
      requests: 'UrlRequestCount',
      clientErrors: 'Url4xxCount',
      serverErrors: 'Url5xxCount',
    },
  };
}
