import type { Response } from '../shared/http/message.js';

/** Stands for the issuer in what the build makes. No host has this name (RFC 2606). */
export const ISSUER_PLACEHOLDER = 'https://issuer.invalid';

/**
 * Fills in what the build could not know.
 *
 * @param values - What to put in place of which text.
 * @throws Error if the build has left no place for one of them.
 */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [placeholder, value]) => {
    if (filled.includes(placeholder)) return filled.replaceAll(placeholder, () => value);
    throw new Error(`The build has left no ${placeholder} to put ${value} in its place`);
  }, text);
}

/**
 * Fills in a document.
 *
 * @param tag - What its entity tag gets behind it, in characters that such a tag may have: what the values are made of.
 */
export function fillDocument(
  { headers, body, ...response }: Response<200>,
  values: Readonly<Record<string, string>>,
  tag: string,
): Response<200> {
  const ETag = `${(headers.ETag as string).slice(0, -1)}${tag}"`;
  return { ...response, headers: { ...headers, ETag }, body: fill(body as string, values) };
}
