const TITLES = require('./shared/http/statuses.json');

/**
 * Makes what API Gateway answers by itself, as problems (RFC 9457) like those of the service.
 *
 * @param {boolean} cors - Whether pages of other origins may call. Then any of them may read these answers.
 * @param {boolean} signed - Whether some calls must be signed, because a method's authorizer is `aws_iam`.
 * @returns {object} The resources.
 */
module.exports.makeResponses = (cors, signed) => {
  const responses = { ...RESPONSES, ...(signed && { UnroutedResponse: UNSIGNED }) };
  return Object.fromEntries(Object.entries(responses).map(([id, response]) => [id, responseOf(response, cors)]));
};

/** By name. The last two stand for all other types, each of which keeps its own status. */
const RESPONSES = {
  // Lambda refused the call because the one instance has another request at hand; or the function failed.
  BusyResponse: {
    type: 'INTEGRATION_FAILURE',
    status: 503,
    detail: 'The service is busy with another request. Try again in a second.',
  },
  ThrottledResponse: {
    type: 'THROTTLED',
    status: 429,
    detail: 'There are more requests than the stage admits. Try again in a second.',
  },
  TimeoutResponse: { type: 'INTEGRATION_TIMEOUT', status: 504, detail: 'The service did not answer in time.' },
  TooLargeResponse: {
    type: 'REQUEST_TOO_LARGE',
    status: 413,
    detail: 'The request is larger than the gateway takes.',
  },
  // API Gateway asks for a token whenever no method matches. Where methods need none, nothing else makes it ask.
  UnroutedResponse: {
    type: 'MISSING_AUTHENTICATION_TOKEN',
    status: 404,
    detail: 'No route matches this method and path.',
  },
  ClientErrorResponse: { type: 'DEFAULT_4XX' },
  ServerErrorResponse: { type: 'DEFAULT_5XX' },
};

/** A call without a signature comes under the type that stands for no method, and that is the likelier cause then. */
const UNSIGNED = {
  type: 'MISSING_AUTHENTICATION_TOKEN',
  status: 403,
  detail: 'The call is not signed. Sign it with AWS Signature Version 4, for the service execute-api.',
};

function responseOf({ type, status, detail }, cors) {
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
  const problem = { type: 'about:blank', ...title, detail: detail ?? own, requestId: '$context.requestId' };
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
