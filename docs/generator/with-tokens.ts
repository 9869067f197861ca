import { problemResponse } from '../../shared/http/problem.js';
import type { AnyRoute } from '../../shared/routing/route.js';
import type { OpenApi } from './describe.js';
import { HEADER_FIELDS } from './header-fields.js';
import type { ResponseObject, SecurityScheme } from './openapi-document.js';
import { type Operation, pathOf } from './operation.js';
import { EXAMPLE_REQUEST } from './problem-example.js';
import { sentenceOf } from './route-answers.js';

/**
 * Describes the service as it is where it asks for tokens: each route that names a resource takes one, and may return 401.
 *
 * @param document - The description document of the service without tokens.
 * @returns The other form of the document. It does not name the provider, so it is the same for all.
 */
export function withTokens(document: OpenApi, routes: readonly AnyRoute[]): OpenApi {
  const asking = routes.filter(({ resource }) => resource).map((route) => `${route.method} ${pathOf(route)}`);
  const withToken = (operation: Operation): Operation => {
    return { ...operation, responses: { ...operation.responses, 401: UNAUTHORIZED }, security: [{ token: [] }] };
  };
  const paths = Object.entries(document.paths).map(([path, operations]) => {
    const described = Object.entries(operations).map(([method, operation]) => {
      const asks = asking.includes(`${method.toUpperCase()} ${path}`);
      return [method, asks ? withToken(operation) : operation];
    });
    return [path, Object.fromEntries(described)];
  });
  return {
    ...document,
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes: { token: SCHEME } },
  };
}

/** Of OpenAPI 3.1. Swagger 2.0 has no word for bearer tokens. */
const SCHEME: SecurityScheme = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'A token of the identity provider, for the audience of this service.',
};

const UNAUTHORIZED: ResponseObject = {
  description: sentenceOf(['no token', 'invalid token']),
  headers: { 'WWW-Authenticate': HEADER_FIELDS['WWW-Authenticate'] },
  content: {
    'application/problem+json': {
      schema: { $ref: '#/components/schemas/Problem' },
      example: JSON.parse(problemResponse(EXAMPLE_REQUEST, 'no token').body as string),
    },
  },
};
