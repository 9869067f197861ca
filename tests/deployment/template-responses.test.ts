import { describe, expect, it } from '@jest/globals';
import { problemResponse } from '../../shared/http/problem.js';
import { makeParts } from '../support/deployment/derived-template.js';

describe('what API Gateway answers by itself', () => {
  it.each([
    ['BusyResponse', 'INTEGRATION_FAILURE', 'busy'],
    ['ThrottledResponse', 'THROTTLED', 'throttled'],
    ['TimeoutResponse', 'INTEGRATION_TIMEOUT', 'timed out'],
    ['TooLargeResponse', 'REQUEST_TOO_LARGE', 'request too large'],
    ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN', 'unknown method'],
  ] as const)('is a problem like those of the service: %s', async (id, type, kind) => {
    const properties = (await makeParts({}))[id]?.Properties;
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    expect(properties).toMatchObject({ ResponseType: type, StatusCode: String(status) });
    expect(JSON.parse(properties.ResponseTemplates['application/json'])).toEqual(JSON.parse(body));
  });

  it('says that nothing was changed where that is sure: not of a function that may have failed after it wrote to a table', async () => {
    const problemOf = async (parameters: Record<string, string>, id: string) =>
      JSON.parse((await makeParts(parameters))[id]?.Properties.ResponseTemplates['application/json']);
    expect(await problemOf({}, 'BusyResponse')).toHaveProperty('applied', false);
    expect(await problemOf({}, 'ThrottledResponse')).toHaveProperty('applied', false);
    const table = { todoTable: 'todo-items-live' };
    const busy = await problemOf(table, 'BusyResponse');
    expect(busy).not.toHaveProperty('applied');
    expect(busy.detail).toContain('look first whether a write was applied');
    expect(await problemOf(table, 'ThrottledResponse')).toHaveProperty('applied', false);
    for (const parameters of [{}, table]) {
      expect(await problemOf(parameters, 'TimeoutResponse')).not.toHaveProperty('applied');
    }
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
