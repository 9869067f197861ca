/**
 * Makes a place in the list fit for a link: callers hand it back, but need not understand it, nor can they make one up
 * by chance. It is no secret, for whoever may read one part of the list may read the others.
 *
 * @param place - Where the list goes on, as the store names it.
 * @returns The text, fit for a URL as it stands.
 */
export function sealPlace(place: string): string {
  // Loaded here, where few requests come by: it would take up half of a cold start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const seal = createHash('sha256').update(place).digest().subarray(0, SEAL);
  return Buffer.concat([seal, Buffer.from(place)]).toString('base64url');
}

/**
 * Reads a place that came back.
 *
 * @param sealed - What {@link sealPlace} made of it, or anything.
 * @returns The place; where the text is made up, an empty one, which no list has.
 */
export function openPlace(sealed: string): string {
  const place = Buffer.from(sealed, 'base64url').toString('utf8', SEAL);
  return sealPlace(place) === sealed ? place : '';
}

/** Bytes of the seal, a multiple of three as base64 goes. */
const SEAL = 9;
