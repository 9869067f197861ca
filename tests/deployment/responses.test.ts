import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { packageAll } from '../support/deployment/packaging.js';
import type { Template } from '../support/deployment/template.js';

type Name = 'memory' | 'table' | 'signed';
let packaged: Record<Name, Template>;

beforeAll(async () => {
  packaged = await packageAll({
    memory: {},
    table: { table: 'items-live' },
    signed: { signedCalls: true },
  });
});

const responseOf = (name: Name, id: string) => packaged[name].Resources[id]?.Properties;

/** The header fields are in the templates of the release before, with which template.test.ts compares. */
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
    const { ResponseTemplates, ...response } = responseOf('memory', id);
    expect(response).toMatchObject({ ResponseType });
    expect(response).not.toHaveProperty('StatusCode');
    expect(ResponseTemplates['application/json']).toBe(
      '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}',
    );
  });
});
