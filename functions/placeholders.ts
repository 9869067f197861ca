import type { Response } from '../shared/http/message.js';

/** Stands for the issuer in what the build makes. No host has this name (RFC 2606). */
export const ISSUER_PLACEHOLDER = 'https://issuer.invalid';

/** @throws Error if a placeholder is missing. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
  return Object.entries(values).reduce((filled, [placeholder, value]) => {
    if (filled.includes(placeholder)) return filled.replaceAll(placeholder, () => value);
    throw new Error(`The build has left no ${placeholder} to put ${value} in its place`);
  }, text);
}

/** @param tag - Is appended to the entity tag, because other values make another document. */
export function fillDocument(
  { headers, body, ...response }: Response<200>,
  values: Readonly<Record<string, string>>,
  tag: string,
): Response<200> {
  const ETag = `${(headers.ETag as string).slice(0, -1)}${tag}"`;
  return { ...response, headers: { ...headers, ETag }, body: fill(body as string, values) };
}
