import type { Grants } from './grants.js';
import { type Answer, page, redirect, rejectAddress } from './provider-answer.js';

/**
 * Answers a browser that an app has sent to sign a person out (OpenID Connect RP-Initiated Logout 1.0, section 2). The provider itself
 * has no sessions, so it ends the person's refresh tokens for that app.
 *
 * @param provider - Its grants, and the origins of the apps to which it leads back.
 * @param parameters - Those of the URL. `id_token_hint` says whose session of which app ends.
 * @returns A redirect to `post_logout_redirect_uri` with the `state`, a page without one, or an error if that is not the app's.
 */
export async function endSession(
  { grants, origins }: { readonly grants: Grants; readonly origins: readonly string[] },
  parameters: URLSearchParams,
): Promise<Answer> {
  const uri = parameters.get('post_logout_redirect_uri');
  const rejected = uri === null ? undefined : rejectAddress('post_logout_redirect_uri', uri, origins);
  if (rejected) return rejected;
  await grants.revokeRefreshTokens(parameters.get('id_token_hint') ?? '');
  if (uri === null) return page('You are signed out', '<p>You can close this page.</p>');
  const state = parameters.get('state');
  return redirect(uri, state === null ? {} : { state });
}
