import type { Grants } from './grants.js';
import { type Answer, page, redirect, rejectAddress } from './provider-answer.js';

export interface SignIn {
  readonly grants: Grants;
  /** The people who can sign in. */
  readonly names: readonly string[];
  /** The origins whose pages may ask for tokens, and get them; `*` is none. */
  readonly origins: readonly string[];
}

/**
 * Answers a browser that an app has sent to sign a person in (RFC 6749, section 4.1; RFC 7636).
 *
 * @param parameters - Those of the URL. `login_hint` names the person; without it, the developer chooses one.
 * @returns A redirect to the app, with a code or an error; a page with a choice of people; or an error, if there is no safe redirect.
 */
export function authorize({ names, grants, origins }: SignIn, parameters: URLSearchParams): Answer {
  const parameter = (name: string) => parameters.get(name) ?? '';
  const redirectUri = parameter('redirect_uri');
  const rejected = rejectAddress('redirect_uri', redirectUri, origins);
  if (rejected) return rejected;
  const state = parameters.get('state');
  const back = (answer: Readonly<Record<string, string>>) =>
    redirect(redirectUri, { ...answer, ...(state !== null && { state }) });
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
    return choice(names, new URL(redirectUri).origin, parameters);
  }
  const clientId = parameter('client_id');
  const nonce = parameters.get('nonce') ?? undefined;
  const scope = parameter('scope');
  return back({ code: grants.issueCode({ subject, clientId, redirectUri, codeChallenge, scope, nonce }) });
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
