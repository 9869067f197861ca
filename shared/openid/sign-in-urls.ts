import type { Endpoints } from './fetch-keys.js';
import type { TokenPolicy } from './policy.js';

/** For the authorization code with PKCE (RFC 6749, section 4.1; RFC 7636). */
export interface SignInUrls {
  /** The page adds `redirect_uri`, `state` and `code_challenge`. */
  readonly authorize: string;
  /** Exchanges the code for a token. */
  readonly token: string;
}

/**
 * Asks for `openid`, the configured scopes, and a token for the audience.
 *
 * @returns Undefined without a client.
 */
export function signInUrls({ authorization, token }: Endpoints, policy: TokenPolicy): SignInUrls | undefined {
  const { client, audience, readScope, writeScope } = policy;
  if (client === undefined) return undefined;
  const scopes = new Set(['openid', readScope, writeScope].filter((scope) => scope !== undefined));
  const url = new URL(authorization);
  const asked = {
    response_type: 'code',
    client_id: client,
    scope: [...scopes].join(' '),
    code_challenge_method: 'S256',
    // Auth0, for example, issues tokens that others can read only for an audience. Others expect `resource` (RFC 8707).
    audience,
    ...(isAbsoluteUri(audience) && { resource: audience }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return { authorize: url.href, token };
}

/** Without a fragment (RFC 8707, section 2). */
function isAbsoluteUri(text: string): boolean {
  return URL.canParse(text) && !text.includes('#');
}
