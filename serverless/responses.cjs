const { PROBLEMS, TITLES } = require('../shared/http/problems.cjs');

/**
 * Makes what API Gateway answers by itself, as problems (RFC 9457) like those of the service.
 *
 * @param {boolean} cors - Whether pages of other origins may call. Then any of them may read these answers.
 * @param {boolean} inMemory - Whether the collection is in memory. What a function that failed had changed there is lost
 * with it, so that nothing was changed; in a table it is not lost.
 * @param {boolean} signed - Whether some calls must be signed, because a method's authorizer is `aws_iam`.
 * @returns {object} The resources.
 */
module.exports.makeResponses = (cors, inMemory, signed) => {
  const kinds = {
    // Lambda refused the call because the one instance is busy with another request; or the function failed.
    BusyResponse: ['INTEGRATION_FAILURE', inMemory ? 'busy' : 'busy or failed'],
    ThrottledResponse: ['THROTTLED', 'throttled'],
    TimeoutResponse: ['INTEGRATION_TIMEOUT', 'timed out'],
    TooLargeResponse: ['REQUEST_TOO_LARGE', 'request too large'],
    // API Gateway asks for a token whenever no method matches. Where some calls must be signed, a missing signature is
    // the likelier cause.
    UnroutedResponse: ['MISSING_AUTHENTICATION_TOKEN', signed ? 'not signed' : 'unknown method'],
    // All other types, each of which keeps its own status.
    ClientErrorResponse: ['DEFAULT_4XX'],
    ServerErrorResponse: ['DEFAULT_5XX'],
  };
  return Object.fromEntries(Object.entries(kinds).map(([id, [type, kind]]) => [id, responseOf(type, kind, cors)]));
};

function responseOf(type, kind, cors) {
  const { status, detail, applied } = PROBLEMS[kind] ?? {};
  // What passes by itself.
  const retry = [429, 503].includes(status);
  const headers = {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(retry && { 'Retry-After': '1' }),
    ...(cors && { 'Access-Control-Allow-Origin': '*' }),
    ...(cors && retry && { 'Access-Control-Expose-Headers': 'Retry-After' }),
  };
  const parameters = Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]);
  const title = status && { title: TITLES[status], status };
  // API Gateway puts the quotes around its own words.
  const own = '$context.error.messageString';
  const problem = { type: 'about:blank', ...title, detail: detail ?? own, applied, requestId: '$context.requestId' };
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
