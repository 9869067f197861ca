/** Stands for the issuer in the documents and the page until they are served: the build does not know it, and nobody has this host (RFC 2606). */
export const ISSUER_PLACEHOLDER = 'https://issuer.invalid';

/**
 * Says whether a URL may be used to fetch a provider's keys: https, or http on this machine.
 */
export function isTrustworthy(url: string): boolean {
  return URL.canParse(url) && /^(https:|http:\/\/(localhost|127\.0\.0\.1|\[::1])[:/])/.test(new URL(url).href);
}

/**
 * Says whether a text can be an issuer (OpenID Connect Core 1.0, section 2): a URL without query, fragment and user, in characters
 * of RFC 3986, because the documents name it; of at most 512, so that a partition key has room for it.
 */
export function isIssuer(text: string): boolean {
  return text.length <= 512 && /^https?:\/\/[\w.~:/[\]!$&'()*+,;=%-]+$/.test(text) && isTrustworthy(text);
}
