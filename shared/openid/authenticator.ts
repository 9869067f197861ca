import { challenge, readBearerToken } from '../http/bearer-token.js';
import type { Authenticate } from '../http/message.js';
import { problemResponse } from '../http/problem.js';
import type { Log } from '../log/log.js';
import { fetchKeys } from './fetch-keys.js';
import { KeyCache } from './key-cache.js';
import { type TokenPolicy, verifyToken } from './verify.js';

/** How long a fetch of the keys may take, in milliseconds. A request waits for two at most. */
const TIMEOUT = 3_000;

const NO_KEYS = 'The keys that tokens are verified with cannot be fetched.';

/**
 * Builds the check of bearer tokens (RFC 6750) that an OpenID Connect provider has signed. It begins to fetch the keys.
 *
 * @param policy - Whose tokens are taken.
 * @param log - Gets an error when the keys can't be fetched, and nothing of any token.
 * @returns The check. The owner that it gives is the issuer and the subject, with a space between them, which no issuer has.
 * Without a valid token it answers 401, and if a token can't be verified at the moment 503.
 */
export function createAuthenticator(policy: TokenPolicy, log: Log): Authenticate {
  const keys = new KeyCache(() => fetchKeys(policy.issuer, TIMEOUT), log);

  return async (request) => {
    const token = readBearerToken(request);
    if ('rejected' in token) return token;
    const verified = await verifyToken(token.value, policy, keys.find);
    if ('subject' in verified) return { value: `${policy.issuer} ${verified.subject}` };
    if ('reason' in verified) return { rejected: challenge(request, verified.reason) };
    const headers = { 'Retry-After': String(verified.retryAfter) };
    return { rejected: problemResponse(request, 'unavailable', { reason: NO_KEYS, headers }) };
  };
}
