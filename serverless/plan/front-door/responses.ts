import type { Kind, Problem } from '../../../shared/http/problem.js';
import { PROBLEMS, TITLES } from '../../../shared/http/problems.js';
import type { Resources, Stage } from '../stage.js';

/** Makes API Gateway's own answers, as problems (RFC 9457) like those of the service. */
export function makeResponses({ cors, table, signedCalls }: Stage): Resources {
  const kinds: Record<string, [type: string, kind?: Kind]> = {
    // Lambda refused the call because the one instance is busy, or the function failed. What it had changed in memory
    // is lost with it, so nothing was changed. In a table it is not lost.
    BusyResponse: ['INTEGRATION_FAILURE', table ? 'busy-or-failed' : 'busy'],
    ThrottledResponse: ['THROTTLED', 'throttled'],
    TimeoutResponse: ['INTEGRATION_TIMEOUT', 'timed-out'],
    // API Gateway asks for a token whenever no method matches. If some calls must be signed, a missing signature is the
    // likelier cause.
    UnroutedResponse: ['MISSING_AUTHENTICATION_TOKEN', signedCalls ? 'not-signed' : 'unknown-method'],
    // All other types, each of which keeps its own status.
    ClientErrorResponse: ['DEFAULT_4XX'],
    ServerErrorResponse: ['DEFAULT_5XX'],
  };
  return Object.fromEntries(Object.entries(kinds).map(([id, [type, kind]]) => [id, responseOf(type, kind, cors)]));
}

function responseOf(type: string, kind: Kind | undefined, cors: boolean): object {
  const row: Problem | undefined = kind && PROBLEMS[kind];
  const status = row?.status;
  // Over in a moment.
  const retry = status === 429 || status === 503;
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(retry && { 'Retry-After': '1' }),
    // Any page may read these answers if any other origin may call.
    ...(cors && { 'Access-Control-Allow-Origin': '*' }),
    ...(cors && retry && { 'Access-Control-Expose-Headers': 'Retry-After' }),
  };
  const parameters = Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  const title = status && { title: TITLES[status], status };
  // API Gateway puts the quotes around its own words.
  const own = '$context.error.messageString';
  const detail = row?.detail ?? own;
  const problem = {
    type: 'about:blank',
    code: kind,
    ...title,
    detail,
    applied: row?.applied,
    requestId: '$context.requestId',
  };
  return {
    Type: 'AWS::ApiGateway::GatewayResponse',
    Properties: {
      RestApiId: { Ref: 'ApiGatewayRestApi' },
      ResponseType: type,
      ...(status && { StatusCode: String(status) }),
      ResponseParameters: Object.fromEntries(parameters),
      ResponseTemplates: { 'application/json': JSON.stringify(problem).replace(`"${own}"`, own) },
    },
  };
}
