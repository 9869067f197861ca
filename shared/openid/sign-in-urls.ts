import type { Endpoints } from './fetch-keys.js';
import type { TokenPolicy } from './policy.js';

/** Where a page gets a token for a person: by the authorization code with PKCE (RFC 6749, section 4.1; RFC 7636). */
export interface SignInUrls {
  /** Where to send the browser. What differs each time is missing: `redirect_uri`, `state` and `code_challenge`. */
  readonly authorize: string;
  /** Where the page exchanges the code for a token. */
  readonly token: string;
}

/**
 * Says where a page signs people in, and what it asks for: the configured scopes, a token for the audience, and `openid`.
 *
 * @returns The URLs; undefined if no client is configured.
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
    // Auth0, for example, issues tokens that others can read only for an audience; others expect `resource` (RFC 8707).
    audience,
    ...(isAbsoluteUri(audience) && { resource: audience }),
  };
  for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value);
  return { authorize: url.href, token };
}

/** RFC 8707, section 2: without a fragment. */
function isAbsoluteUri(text: string): boolean {
  return URL.canParse(text) && !text.includes('#');
}
