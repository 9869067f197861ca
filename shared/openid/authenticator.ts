import { createHash } from 'node:crypto';
import { challenge, insufficientScope, readBearerToken } from '../http/bearer-token.js';
import type { Authenticate, Caller } from '../http/message.js';
import { problemResponse } from '../http/problem.js';
import type { Log } from '../log/log.js';
import { fetchKeys } from './fetch-keys.js';
import { KeyCache } from './key-cache.js';
import { missingScope, ownerOf, type TokenPolicy } from './policy.js';
import { type SignInUrls, signInUrls } from './sign-in-urls.js';
import { verifyToken } from './verify.js';

/** For a fetch of the keys, in milliseconds. A request waits for two at most. */
const TIMEOUT = 3_000;

/** In milliseconds. After that, the page is served without the button. */
const PATIENCE = 1_000;

export interface Authenticator {
  /**
   * Answers 401 without a valid token, 503 if a token can't be verified now, and 403 without the scope for the method
   * or the claim that names a list.
   */
  readonly authenticate: Authenticate;
  /** Undefined without a client, or if the provider does not answer within a second. */
  signInUrls(): Promise<SignInUrls | undefined>;
}

/**
 * Builds the check of bearer tokens (RFC 6750), and starts to fetch the provider's keys.
 *
 * @param log - Gets a warning when the keys can't be fetched, and nothing of any token.
 */
export function createAuthenticator(policy: TokenPolicy, log: Log): Authenticator {
  const keys = new KeyCache(() => fetchKeys(policy.issuer, TIMEOUT), log);

  const authenticate: Authenticate = async (request) => {
    const token = readBearerToken(request, policy.issuer);
    if ('rejected' in token) return token;
    const verified = await verifyToken(token.value, policy, keys);
    if ('reason' in verified) return { rejected: challenge(request, policy.issuer, verified.reason, verified.more) };
    if ('retryAfter' in verified) {
      const headers = { 'Retry-After': String(verified.retryAfter) };
      return { rejected: problemResponse(request, 'keys-unavailable', { headers }), failure: verified };
    }
    const { subject, claims } = verified;
    const caller: Caller = { subject, claims, pseudonym: pseudonymOf(policy.issuer, subject) };
    const missing = missingScope(claims, request.method, policy);
    if (missing !== undefined) return { rejected: insufficientScope(request, missing), caller };
    const list = ownerOf(subject, claims, policy);
    if (list !== 'no-list') return { caller, owner: list.owner };
    const reason = `The token names no list: its claim ${policy.listBy} is not text of 1 to 255 characters.`;
    return { rejected: problemResponse(request, 'no-list', { reason }), caller };
  };

  return {
    authenticate,
    async signInUrls() {
      if (policy.client === undefined) return undefined;
      const endpoints = await within(PATIENCE, keys.endpoints());
      return endpoints && signInUrls(endpoints, policy);
    },
  };
}

/** The promise must not reject. */
async function within<Value>(milliseconds: number, coming: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  const first = await Promise.race([coming, late]);
  clearTimeout(timer);
  return first;
}

/** The same subject of two issuers is two people. */
function pseudonymOf(issuer: string, subject: string): string {
  return createHash('sha256').update(`${issuer} ${subject}`).digest('hex').slice(0, 16);
}
