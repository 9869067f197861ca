import { describe, expect, it } from '@jest/globals';
import { type Kind, problemResponse } from '../../shared/http/problem.js';
import { packageStages } from './stages.js';

const packaged = packageStages('items in memory', 'items in a table', 'signed calls');

/** The header fields are in the templates of the release before, with which template.test.ts compares. */
describe('what API Gateway answers by itself', () => {
  const NOT_FOUND = ['UnroutedResponse', 'MISSING_AUTHENTICATION_TOKEN'] as const;
  it.each<[Kind, id: string, type: string, applied: boolean | undefined, keyof typeof packaged]>([
    ['busy', 'BusyResponse', 'INTEGRATION_FAILURE', false, 'items in memory'],
    // The function may have failed after it wrote.
    ['busy or failed', 'BusyResponse', 'INTEGRATION_FAILURE', undefined, 'items in a table'],
    ['throttled', 'ThrottledResponse', 'THROTTLED', false, 'items in a table'],
    ['timed out', 'TimeoutResponse', 'INTEGRATION_TIMEOUT', undefined, 'items in memory'],
    ['request too large', 'TooLargeResponse', 'REQUEST_TOO_LARGE', undefined, 'items in memory'],
    ['unknown method', ...NOT_FOUND, undefined, 'items in memory'],
    ['not signed', ...NOT_FOUND, undefined, 'signed calls'],
  ])('is a problem like those of the service: %s', (kind, id, ResponseType, applied, stage) => {
    const { status, body = '' } = problemResponse({ id: '$context.requestId' }, kind);
    const { ResponseTemplates, ...response } = packaged[stage].Resources[id]?.Properties ?? {};
    expect(response).toMatchObject({ ResponseType, StatusCode: String(status) });
    expect(JSON.parse(ResponseTemplates['application/json'])).toEqual(JSON.parse(body));
    expect(JSON.parse(body).applied).toBe(applied);
  });

  it.each([
    ['ClientErrorResponse', 'DEFAULT_4XX'],
    ['ServerErrorResponse', 'DEFAULT_5XX'],
  ])("keeps API Gateway's status and message if it is of another type: %s", (id, ResponseType) => {
    const { ResponseTemplates, ...response } = packaged['items in memory'].Resources[id]?.Properties ?? {};
    expect(response).toMatchObject({ ResponseType });
    expect(response).not.toHaveProperty('StatusCode');
    expect(ResponseTemplates['application/json']).toBe(
      '{"type":"about:blank","detail":$context.error.messageString,"requestId":"$context.requestId"}',
    );
  });
});
