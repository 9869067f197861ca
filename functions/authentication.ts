import type { Log } from '../shared/log/log.js';
import type { TokenPolicy } from '../shared/openid/verify.js';
import type { Authenticate } from '../shared/routing/dispatcher.js';

/**
 * Says how callers are known.
 *
 * @param signIn - Whose tokens they need; undefined if they need none.
 * @param log - Where a provider that can't be reached is logged.
 * @returns The check of their tokens, if they need one. Its code is in a file of its own, as the table's is.
 */
export function authenticationBy(signIn: TokenPolicy | undefined, log: Log): Authenticate | undefined {
  if (!signIn) return undefined;
  const loading = import('../shared/openid/authenticator.js').then(({ createAuthenticator }) =>
    createAuthenticator(signIn, log),
  );
  return async (request) => (await loading)(request);
}
