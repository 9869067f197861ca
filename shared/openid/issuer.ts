/** Https, or http on this machine, without user and password. */
export function isTrustworthy(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password } = new URL(url);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/**
 * OpenID Connect Core 1.0, section 2: a URL without query, fragment and user. In characters of RFC 3986, because the
 * documents contain it, and at most 512, because a partition key does.
 */
export function isIssuer(text: string): boolean {
  return text.length <= 512 && /^https?:\/\/[\w.~:/[\]!$&'()*+,;=%-]+$/.test(text) && isTrustworthy(text);
}
