import type { Field, Request } from './request.js';

/** The header field by which a service knows a request that is sent again, in any letter case. */
export const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Gives a request a key of its own, where its operation has a field for one and nobody typed into it. */
export function withKey(request: Request, field: Field | undefined): Request {
  if (!field || field.value) return request;
  return { ...request, headers: [...request.headers, [field.name, `"${randomUuid()}"`]] };
}

/** Makes a UUID of version 4. `crypto.randomUUID` is not there at addresses without TLS. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
