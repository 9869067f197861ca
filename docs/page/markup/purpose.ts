import type { Purpose, SpecialHeader } from '../attributes.js';
import type { Parameter } from './swagger-document.js';

/** The id of the parameter's field. */
export type Numbered = Parameter & { readonly id: string };

export function purposeOf({ in: part, name }: Parameter): Purpose {
  const special = SPECIAL.find((header) => header.toLowerCase() === name.toLowerCase());
  return part === 'header' && special ? special : (part as Purpose);
}

const SPECIAL: readonly SpecialHeader[] = ['If-Match', 'Idempotency-Key'];
