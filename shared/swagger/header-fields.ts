import type { AnyRoute } from '../routing/route.js';
import type { HeaderField, Parameter } from './description.js';

/**
 * Describes the header fields that a route heeds in requests.
 *
 * @param route - The declaration.
 * @returns The conditional header fields for a route that heeds them, none for others.
 */
export function headerParameters({ conditional, method }: AnyRoute): Parameter[] {
  if (!conditional) return [];
  const excluded = method === 'GET' ? 'that the caller has already' : 'that the item must not have';
  const fields = [
    ['If-Match', 'Entity tags of the versions that the item may have'],
    ['If-None-Match', `Entity tags of the versions ${excluded}`],
  ] as const;
  return fields.map(([name, tags]) => {
    const description = `${tags}, each in quotes as in "1", separated by commas; or * for any version.`;
    return { name, in: 'header', description, required: false, schema: { type: 'string' } };
  });
}

/**
 * Describes a header field of responses.
 *
 * @param name - Its name.
 * @returns What it says, and whether it may be left out.
 */
export function describeField(name: keyof typeof FIELDS): HeaderField {
  return { name, ...FIELDS[name] };
}

const FIELDS = {
  ETag: {
    type: 'string',
    description: 'The entity tag of this version of the item, in quotes, for If-Match and If-None-Match.',
    always: true,
  },
  Link: {
    type: 'string',
    description: 'The path and query of the next page of the list, with rel="next"; left out on the last page.',
    always: false,
  },
  Location: { type: 'string', description: 'The path of the new item.', always: true },
  'Retry-After': { type: 'integer', description: 'The seconds after which to try again.', always: true },
} as const;
