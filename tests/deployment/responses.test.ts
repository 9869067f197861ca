import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { packageAll } from '../support/deployment/packaging.js';
import type { Template } from '../support/deployment/template.js';

type Name = 'memory' | 'table' | 'signed' | 'cors';
let packaged: Record<Name, Template>;

beforeAll(async () => {
  packaged = await packageAll({
    memory: {},
    table: { table: 'items-live' },
    signed: { signedCalls: true },
    cors: { corsOrigins: 'https://example.com' },
  });
});

const responseOf = (name: Name, id: string) => packaged[name].Resources[id]?.Properties;

/** Header fields as API Gateway takes them: a literal value is in quotes. */
const COMMON = {
  'gatewayresponse.header.Content-Type': "'application/problem+json'",
  'gatewayresponse.header.Cache-Control': "'no-store'",
  'gatewayresponse.header.X-Content-Type-Options': "'nosniff'",
};
const RETRY = { 'gatewayresponse.header.Retry-After': "'1'" };
const ORIGIN = { 'gatewayresponse.header.Access-Control-Allow-Origin': "'*'" };
const EXPOSED = { 'gatewayresponse.header.Access-Control-Expose-Headers': "'Retry-After'" };

describe('what API Gateway answers by itself', () => {
  const NOT_FOUND = ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN'] as const;
  it.each<[Kind, id: string, type: string, applied: boolean | undefined, Name]>([
    ['busy', 'BusyResponse', 'INTEGRATION_FAILURE', false, 'memory'],
    // The function may have failed after it wrote.
    ['busy or failed', 'BusyResponse', 'INTEGRATION_FAILURE', undefined, 'table'],
    ['throttled', 'ThrottledResponse', 'THROTTLED', false, 'table'],
    ['timed out', 'TimeoutResponse', 'INTEGRATION_TIMEOUT', undefined, 'memory'],
    ['request too large', 'TooLargeResponse', 'REQUEST_TOO_LARGE', undefined, 'memory'],
    ['unknown method', ...NOT_FOUND, undefined, 'memory'],
    ['not signed', ...NOT_FOUND, undefined, 'signed'],
  ])('is a problem like those of the service: %s', (kind, id, ResponseType, applied, name) => {
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    const { ResponseTemplates, ...response } = responseOf(name, id);
    expect(response).toMatchObject({ ResponseType, StatusCode: String(status) });
    expect(JSON.parse(ResponseTemplates['application/json'])).toEqual(JSON.parse(body));
    expect(JSON.parse(body).applied).toBe(applied);
  });

  it.each([
    ['ClientErrorResponse', 'DEFAULT_4XX'],
    ['ServerErrorResponse', 'DEFAULT_5XX'],
  ])("keeps API Gateway's status and message if it is of another type: %s", (id, ResponseType) => {
    const body = '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}';
    expect(responseOf('memory', id)).toEqual({
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType,
      ResponseParameters: COMMON,
      ResponseTemplates: { 'application/json': body },
    });
  });

  it.each([
    ['BusyResponse', RETRY, EXPOSED],
    ['ThrottledResponse', RETRY, EXPOSED],
    ['TimeoutResponse', {}, {}],
  ])('says when to try again, and may be read by pages of other origins if CORS is on: %s', (id, retry, exposed) => {
    expect(responseOf('memory', id).ResponseParameters).toEqual({ ...COMMON, ...retry });
    expect(responseOf('cors', id).ResponseParameters).toEqual({ ...COMMON, ...retry, ...ORIGIN, ...exposed });
  });
});
