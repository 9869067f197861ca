import { describe, expect, it } from '@jest/globals';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { makeParts, type Parameters } from '../support/deployment/derived-template.js';

const table = { table: 'items-live' };
const COMMON = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** What API Gateway answers by itself, its header fields by their own names. */
async function responseOf(id: string, parameters: Parameters = {}, events?: object[]) {
  const { ResponseParameters, ResponseTemplates, ...more } =
    (await makeParts(parameters, events))[id]?.Properties ?? {};
  const fields = Object.entries(ResponseParameters).map(([name, value]) => [
    name.replace('gatewayresponse.header.', ''),
    String(value).replace(/^'(.*)'$/, '$1'),
  ]);
  return { headers: Object.fromEntries(fields), body: ResponseTemplates['application/json'], ...more };
}

describe('what API Gateway answers by itself', () => {
  const NOT_FOUND = ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN'] as const;
  it.each<[Kind, id: string, type: string, applied: boolean | undefined, Parameters, http: object]>([
    ['busy', 'BusyResponse', 'INTEGRATION_FAILURE', false, {}, {}],
    // The function may have failed after it wrote.
    ['busy or failed', 'BusyResponse', 'INTEGRATION_FAILURE', undefined, table, {}],
    ['throttled', 'ThrottledResponse', 'THROTTLED', false, table, {}],
    ['timed out', 'TimeoutResponse', 'INTEGRATION_TIMEOUT', undefined, {}, {}],
    ['request too large', 'TooLargeResponse', 'REQUEST_TOO_LARGE', undefined, {}, {}],
    ['unknown method', ...NOT_FOUND, undefined, {}, {}],
    ['not signed', ...NOT_FOUND, undefined, {}, { authorizer: 'aws_iam' }],
    ['not signed', ...NOT_FOUND, undefined, {}, { authorizer: { type: 'AWS_IAM' } }],
  ])('is a problem like those of the service: %s', async (kind, id, ResponseType, applied, parameters, http) => {
    const response = await responseOf(id, parameters, [{ http }]);
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    expect(response).toMatchObject({ ResponseType, StatusCode: String(status) });
    expect(JSON.parse(response.body)).toEqual(JSON.parse(body));
    expect(JSON.parse(response.body).applied).toBe(applied);
  });

  it.each([
    ['ClientErrorResponse', 'DEFAULT_4XX'],
    ['ServerErrorResponse', 'DEFAULT_5XX'],
  ])("keeps API Gateway's status and message if it is of another type: %s", async (id, ResponseType) => {
    expect(await responseOf(id)).toEqual({
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType,
      headers: COMMON,
      body: '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}',
    });
  });

  it.each([
    ['BusyResponse', { 'Retry-After': '1' }, { 'Access-Control-Expose-Headers': 'Retry-After' }],
    ['ThrottledResponse', { 'Retry-After': '1' }, { 'Access-Control-Expose-Headers': 'Retry-After' }],
    ['TimeoutResponse', {}, {}],
  ])(
    'says when to try again, and may be read by pages of other origins if CORS is on: %s',
    async (id, retry, exposed) => {
      expect((await responseOf(id)).headers).toEqual({ ...COMMON, ...retry });
      const { headers } = await responseOf(id, { corsOrigins: 'https://example.com' });
      expect(headers).toEqual({ ...COMMON, ...retry, 'Access-Control-Allow-Origin': '*', ...exposed });
    },
  );
});
