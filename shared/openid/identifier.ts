/**
 * Says whether the value of a claim can tell owners apart: text of 1 to 255 characters, as subjects have (OpenID Connect Core 1.0,
 * section 2). In UTF-8, halves of surrogate pairs become U+FFFD, and different values the same.
 */
export function isIdentifier(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 255 && /^\P{Surrogate}+$/u.test(value);
}
