import { wrongQuery } from '../http/query.js';
import type { Request } from '../http/request.js';
import type { Response } from '../http/response.js';
import { content } from './answer.js';
import { sealPlace } from './place.js';
import type { Listing } from './store.js';

/**
 * Answers with a list, or with a part of it and a link to the next one (RFC 8288).
 *
 * @param request - The request.
 * @param listing - What the store listed.
 * @param limit - The most items that the caller wanted, undefined for as many as fit.
 * @returns A 200.
 */
export function listed(request: Request, { json, next }: Listing, limit: number | undefined): Response<200> {
  if (next === undefined) return content(request, 200, json);
  const query = `${limit === undefined ? '' : `limit=${limit}&`}after=${sealPlace(next)}`;
  return content(request, 200, json, { Link: `<${request.prefix}/api/todo?${query}>; rel="next"` });
}

/**
 * Answers that a list can't go on where the caller wants it to.
 *
 * @param request - The request.
 * @returns A 400 that names the parameter.
 */
export function unknownPlace(request: Request): Response<400> {
  const detail = 'Must come from the Link header of a list, just as it stands there. List from the start again.';
  return wrongQuery(request, [{ parameter: 'after', detail }]);
}
