import { challenge, insufficientScope } from '../../shared/http/bearer-token.js';
import type { Response } from '../../shared/http/message.js';
import type { AnyRoute } from '../../shared/routing/route.js';
import type { OpenApi } from './describe.js';
import { HEADER_FIELDS } from './header-fields.js';
import type { ResponseObject, SecurityScheme } from './openapi-document.js';
import { type Operation, pathOf } from './operation.js';
import { EXAMPLE_REQUEST } from './problem-example.js';
import { kindsByToken, sentenceOf } from './route-answers.js';

/**
 * Describes the service with sign-in: each route that is not open takes a token, and may return 401, 403, and 503 if
 * the token can't be verified.
 *
 * @param document - Of the service without sign-in.
 */
export function withTokens(document: OpenApi, routes: readonly AnyRoute[], issuer: string): OpenApi {
  const unauthorized = problem(sentenceOf(kindsByToken(401)), challenge(EXAMPLE_REQUEST, issuer));
  const asking = routes.filter(({ open }) => !open).map((route) => `${route.method} ${pathOf(route)}`);
  const withToken = (method: string, operation: Operation): Operation => {
    const { 403: forbiddenOtherwise, 503: unavailable } = operation.responses;
    const refused = {
      401: unauthorized,
      403: forbidden(method, forbiddenOtherwise),
      ...(unavailable && { 503: { ...unavailable, description: addedTo(unavailable, 503) } }),
    };
    return { ...operation, responses: { ...operation.responses, ...refused }, security: [{ token: [] }] };
  };
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const described = Object.entries(operations).map(([method, operation]) => {
      const asks = asking.includes(`${method.toUpperCase()} ${path}`);
      return [method, asks ? withToken(method.toUpperCase(), operation) : operation];
    });
    return [path, Object.fromEntries(described)];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes: { token: schemeOf(issuer) } },
  };
}

/** Of OpenAPI 3.1. Swagger 2.0 has no word for bearer tokens. */
function schemeOf(issuer: string): SecurityScheme {
  const description = `A token that ${issuer} has issued for this service.`;
  return { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description };
}

/** Documented even if the stage needs no scope and no claim, because otherwise the document would have four forms. */
function forbidden(method: string, otherwise: ResponseObject | undefined): ResponseObject {
  const description = addedTo(otherwise, 403);
  return problem(description, insufficientScope({ ...EXAMPLE_REQUEST, method }, method === 'GET' ? 'read' : 'write'));
}

/** Adds what is wrong with a token to a status that a route may also return for other reasons. */
function addedTo(otherwise: ResponseObject | undefined, status: number): string {
  const reasons = sentenceOf(kindsByToken(status));
  return otherwise ? `${otherwise.description} Or ${reasons.charAt(0).toLowerCase()}${reasons.slice(1)}` : reasons;
}

function problem(description: string, { body }: Response): ResponseObject {
  return {
    description,
    headers: { 'WWW-Authenticate': HEADER_FIELDS['WWW-Authenticate'] },
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        example: JSON.parse(body as string),
      },
    },
  };
}
