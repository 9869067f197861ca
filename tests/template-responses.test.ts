import { describe, expect, it } from '@jest/globals';
import { makeParts } from './support/derived-template.js';

describe('what API Gateway answers by itself', () => {
  const details = {
    busy: 'The service is busy with another request. Try again in a second.',
    throttled: 'There are more requests than the stage admits. Try again in a second.',
  };

  it.each([
    ['BusyResponse', 'INTEGRATION_FAILURE', '503', 'Service Unavailable', details.busy],
    ['ThrottledResponse', 'THROTTLED', '429', 'Too Many Requests', details.throttled],
    ['TimeoutResponse', 'INTEGRATION_TIMEOUT', '504', 'Gateway Timeout', 'The service did not answer in time.'],
    [
      'TooLargeResponse',
      'REQUEST_TOO_LARGE',
      '413',
      'Content Too Large',
      'The request is larger than the gateway takes.',
    ],
    ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', '404', 'Not Found', 'No route matches this method and path.'],
  ])('is a problem: %s', async (id, type, status, title, detail) => {
    const properties = (await makeParts({}))[id]?.Properties;
    expect(properties).toMatchObject({ ResponseType: type, StatusCode: status });
    const problem = JSON.parse(properties.ResponseTemplates['application/json']);
    const requestId = '$context.requestId';
    expect(problem).toEqual({ type: 'about:blank', title, status: Number(status), detail, requestId });
  });

  it.each([
    ['ClientErrorResponse', 'DEFAULT_4XX'],
    ['ServerErrorResponse', 'DEFAULT_5XX'],
  ])('keeps its status where it is of no such type: %s', async (id, ResponseType) => {
    expect((await makeParts({}))[id]?.Properties).toEqual({
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType,
      ResponseParameters: {
        'gatewayresponse.header.Content-Type': "'application/problem+json'",
        'gatewayresponse.header.Cache-Control': "'no-store'",
        'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      },
      ResponseTemplates: {
        'application/json':
          '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}',
      },
    });
  });

  it.each([
    ['', {}],
    ['https://example.com', { 'gatewayresponse.header.Access-Control-Allow-Origin': "'*'" }],
  ])('may be read by other pages where CORS is on: "%s"', async (corsOrigins, more) => {
    const { BusyResponse, TimeoutResponse } = await makeParts({ corsOrigins });
    const common = {
      'gatewayresponse.header.Content-Type': "'application/problem+json'",
      'gatewayresponse.header.Cache-Control': "'no-store'",
      'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
      ...more,
    };
    expect(TimeoutResponse?.Properties.ResponseParameters).toEqual(common);
    expect(BusyResponse?.Properties.ResponseParameters).toEqual({
      ...common,
      'gatewayresponse.header.Retry-After': "'1'",
      ...(corsOrigins && { 'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After'" }),
    });
  });
});
