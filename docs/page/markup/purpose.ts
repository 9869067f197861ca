import type { Purpose, SpecialHeader } from '../attributes.js';
import type { Parameter } from './swagger-document.js';

/** A parameter with the id of its field. */
export type Numbered = Parameter & { readonly id: string };

/** What the field of a parameter is for. */
export function purposeOf({ in: part, name }: Parameter): Purpose {
  const special = SPECIAL.find((header) => header.toLowerCase() === name.toLowerCase());
  return part === 'header' && special ? special : (part as Purpose);
}

const SPECIAL: readonly SpecialHeader[] = ['If-Match', 'Idempotency-Key'];
