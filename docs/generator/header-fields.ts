import type { AnyRoute } from '../../shared/routing/route.js';
import type { HeaderObject, ParameterObject } from './openapi-document.js';

/** Describes the request header fields that a route reads. */
export function headerParameters(route: AnyRoute): ParameterObject[] {
  return [...(route.conditional ? conditionalFields(route) : []), ...(route.idempotent ? [IDEMPOTENCY_KEY] : [])];
}

const EXAMPLE_KEY = '"9b2f6c1e-3d4a-4f5b-8c7d-0e1f2a3b4c5d"';

const IDEMPOTENCY_KEY: ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  description: `A name for this request, preferably a new UUID: 1 to 64 visible characters in quotes, as in ${EXAMPLE_KEY}. For an hour, the same key with the same members returns the same response and creates nothing more.`,
  required: false,
  schema: { type: 'string', examples: [EXAMPLE_KEY] },
};

function conditionalFields({ method, answers }: AnyRoute): ParameterObject[] {
  const subject = Array.isArray(answers[200]?.content) ? 'list' : 'item';
  const otherwise = method === 'GET' ? ', and otherwise returns 304' : '';
  const fields = [
    // Nobody knows the tag of a list beforehand.
    ['If-Match', 'one of these versions', subject === 'list' ? '*' : '"1"'],
    // Nothing has version 0, so a request with both examples can succeed.
    ['If-None-Match', `none of these versions${otherwise}`, '"0"'],
  ] as const;
  return fields.map(([name, versions, example]) => {
    const description = `Succeeds only if the ${subject} is at ${versions}: entity tags in quotes, as in "1", separated by commas; or * for any version.`;
    return { name, in: 'header', description, required: false, schema: { type: 'string', examples: [example] } };
  });
}

export const HEADER_FIELDS = {
  ETag: {
    description: 'The entity tag of this version, in quotes, for If-Match and If-None-Match.',
    required: true,
    schema: { type: 'string' },
  },
  Link: {
    description: 'The path and query of the next page of the list, with rel="next"; absent on the last page.',
    required: false,
    schema: { type: 'string' },
  },
  Location: { description: 'The path of the new item.', required: true, schema: { type: 'string' } },
  'Retry-After': {
    description: 'The seconds after which to try again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': {
    description:
      'Asks for a bearer token, and says what is wrong with the one that was sent. Some gateways call it x-amzn-Remapped-WWW-Authenticate.',
    required: false,
    schema: { type: 'string' },
  },
} as const satisfies Readonly<Record<string, HeaderObject>>;
