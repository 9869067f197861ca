/**
 * Says whether a URL may be used to fetch a provider's keys: https, or http on this machine.
 */
export function isTrustworthy(url: string): boolean {
  return URL.canParse(url) && /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1])[:/])/.test(new URL(url).href);
}

/**
 * Says whether a text can be an issuer (OpenID Connect Core 1.0, section 2): a URL without query, fragment and user, of at most
 * 512 characters, so that a partition key has room for it.
 */
export function isIssuer(text: string): boolean {
  return text.length <= 512 && /^https?:\/\/[^?#@\\]+$/.test(text) && /^[!-~]+$/.test(text) && isTrustworthy(text);
}
