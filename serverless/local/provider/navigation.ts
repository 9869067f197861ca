import { originOf } from '../../../shared/http/origins.js';
import type { Grants } from './grants.js';

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface SignIn {
  readonly grants: Grants;
  readonly names: readonly string[];
  /** The origins of pages that may ask for tokens; `*` is none. */
  readonly origins: readonly string[];
}

export const NAMING = 'name the origin of your app, as in CORS_ORIGINS=http://localhost:5173 npm run local -- --people';

/**
 * Answers a browser that an app has sent to sign a person in (RFC 6749, section 4.1; RFC 7636).
 *
 * @param parameters - `login_hint` names the person; without it, the developer chooses one.
 * @returns A redirect to the app, with a code or an error; a page with a choice of people; or an error, if there is no
 * safe redirect.
 */
export function authorize({ names, grants, origins }: SignIn, parameters: URLSearchParams): Answer {
  const parameter = (name: string) => parameters.get(name) ?? '';
  const redirectUri = parameter('redirect_uri');
  const rejected = rejectAddress('redirect_uri', redirectUri, origins);
  if (rejected) return rejected;
  const back = (answer: Readonly<Record<string, string>>) => redirect(redirectUri, parameters, answer);
  if (parameter('response_type') !== 'code') {
    return back({ error: 'unsupported_response_type', error_description: 'The response_type must be code.' });
  }
  const codeChallenge = parameter('code_challenge');
  if (codeChallenge === '' || parameter('code_challenge_method') !== 'S256') {
    return back({ error: 'invalid_request', error_description: 'A code_challenge of the method S256 is needed.' });
  }
  const subject = parameter('login_hint');
  if (subject === NOBODY) return back({ error: 'access_denied', error_description: 'The sign-in was cancelled.' });
  if (!names.includes(subject)) {
    if (parameter('prompt') === 'none') {
      return back({ error: 'login_required', error_description: 'Without a login_hint, a person has to be chosen.' });
    }
    return choice(names, originOf(redirectUri) as string, parameters);
  }
  const clientId = parameter('client_id');
  const nonce = parameters.get('nonce') ?? undefined;
  const scope = parameter('scope');
  return back({ code: grants.issueCode({ subject, clientId, redirectUri, codeChallenge, scope, nonce }) });
}

/**
 * Answers a browser that an app has sent to sign a person out (OpenID Connect RP-Initiated Logout 1.0, section 2).
 * There are no sessions, so it ends the person's refresh tokens for that app.
 *
 * @param parameters - `id_token_hint` names the person and the app.
 * @returns A redirect to `post_logout_redirect_uri`, a page without one, or an error if it is not the app's.
 */
export async function endSession({ grants, origins }: SignIn, parameters: URLSearchParams): Promise<Answer> {
  const uri = parameters.get('post_logout_redirect_uri');
  const rejected = uri === null ? undefined : rejectAddress('post_logout_redirect_uri', uri, origins);
  if (rejected) return rejected;
  await grants.revokeRefreshTokens(parameters.get('id_token_hint') ?? '');
  return uri === null ? page('You are signed out', '<p>You can close this page.</p>') : redirect(uri, parameters);
}

/** RFC 6749, section 5.2. */
export function failure(error: string, error_description: string, status = 400): Answer {
  return json({ error, error_description }, status);
}

export function json(body: object, status = 200): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

function redirect(uri: string, asked: URLSearchParams, answer: Readonly<Record<string, string>> = {}): Answer {
  const url = new URL(uri);
  const state = asked.get('state');
  for (const [name, value] of Object.entries({ ...answer, ...(state !== null && { state }) })) {
    url.searchParams.set(name, value);
  }
  return { status: 303, headers: { Location: url.href } };
}

/** @returns Undefined if the address belongs to one of the origins. */
function rejectAddress(parameter: string, uri: string, origins: readonly string[]): Answer | undefined {
  const origin = originOf(uri) ?? 'null';
  if (origins.includes(origin)) return undefined;
  return failure('invalid_request', `The ${parameter} is of ${origin}, which gets no tokens here: ${NAMING}`);
}

/** What the choice sends as `login_hint` for Cancel. */
const NOBODY = '-';

function choice(names: readonly string[], origin: string, parameters: URLSearchParams): Answer {
  const link = (name: string, text: string) => {
    const query = new URLSearchParams(parameters);
    query.set('login_hint', name);
    return `<li><a href="/authorize?${query.toString().replaceAll('&', '&amp;')}">${text}</a></li>`;
  };
  const links = [...names.map((name) => link(name, `Sign in as ${name}`)), link(NOBODY, 'Cancel')];
  const asks = `<p>${origin} asks. This provider runs on your machine only, and lets everybody in.</p>`;
  return page('Who signs in?', `${asks}\n<ul>${links.join('')}</ul>`);
}

/** The policy of the page lets it load nothing, and no other page show it. */
function page(title: string, content: string): Answer {
  const style =
    ':root{background:Canvas;color-scheme:light dark}body{font:1.25rem/2 system-ui;margin:clamp(1rem,5vw,3rem)}';
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;
  const policy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy };
  return { status: 200, headers, body };
}
