import type { FrontDoor } from './front-door.js';

/** Makes a function URL. AWS has neither a throttle nor a log for it. */
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
