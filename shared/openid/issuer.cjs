/**
 * Says whether a URL may be used to fetch a provider's keys: https, or http on this machine. It is a CommonJS module because
 * the deployment's configuration reads it, too.
 *
 * @param {string} url
 */
function isTrustworthy(url) {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}

/**
 * Says whether a text can be an issuer (OpenID Connect Core 1.0, section 2): a URL without query, fragment and user, of at most
 * 512 characters, so that a partition key has room for it.
 *
 * @param {string} text
 */
function isIssuer(text) {
  return text.length <= 512 && /^https?:\/\/[\w.~:/!$&'()*+,;=%[\]-]+$/.test(text) && isTrustworthy(text);
}

module.exports = { isTrustworthy, isIssuer };
