import { fillIn, mark } from './fields.js';
import { parse } from './json.js';
import { keep, kept } from './kept.js';
import { randomText } from './random.js';
import { root } from './request.js';
import { say } from './said.js';
import { tokenField } from './token.js';

/** What is kept while the person is at the provider. */
interface Leaving {
  readonly state?: string;
  readonly verifier?: string;
  /** The operation that was open. */
  readonly hash?: string;
}

/**
 * Signs a person in by the authorization code with PKCE (RFC 6749, section 4.1; RFC 7636), if the service knows the
 * provider's URLs. Redirects the whole page, because its policy keeps other windows apart. Browsers without TLS make no
 * hashes.
 */
export function startSignIn(): void {
  const button = document.querySelector('#sign-in') as HTMLButtonElement;
  const { authorize, token } = button.dataset;
  if (!authorize || !token || !isSecureContext) return;
  button.hidden = false;
  button.addEventListener('click', () => leave(new URL(authorize)));
  takeAnswer(new URL(authorize), token);
}

async function leave(url: URL): Promise<void> {
  const [state, verifier] = [randomText(), randomText() + randomText()];
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const { hash } = location;
  if (!keep(name(), { state, verifier, hash })) return refuse('This browser keeps nothing for this page meanwhile.');
  url.searchParams.set('redirect_uri', here());
  url.searchParams.set('state', state);
  url.searchParams.set('code_challenge', base64url(digest));
  location.assign(url);
}

/**
 * Takes the provider's answer out of the address. Anyone can make a link with an answer, so one without the state is
 * ignored.
 */
function takeAnswer({ searchParams: asked }: URL, endpoint: string): void {
  const answer = new URLSearchParams(location.search);
  const { state, verifier = '', hash = '' }: Leaving = kept(name());
  if (!state || answer.get('state') !== state) return;
  keep(name(), {});
  history.replaceState(null, '', location.pathname + hash);
  const code = answer.get('code');
  if (code === null) {
    refuse(reasonIn(Object.fromEntries(answer)));
    return;
  }
  const form = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: here() });
  form.set('client_id', asked.get('client_id') ?? '');
  form.set('code_verifier', verifier);
  const resource = asked.get('resource');
  if (resource !== null) form.set('resource', resource);
  redeem(endpoint, form);
}

async function redeem(endpoint: string, body: URLSearchParams): Promise<void> {
  say('Signing in …', tokenField());
  try {
    const response = await fetch(endpoint, { method: 'POST', body });
    const answer = Object(parse(await response.text()));
    if (typeof answer.access_token !== 'string') return refuse(reasonIn(answer));
    fillIn(tokenField(), answer.access_token);
    say('Signed in.', tokenField());
  } catch {
    refuse(`${endpoint} was not reached, or does not let pages of ${location.origin} call it.`);
  }
}

function reasonIn({ error, error_description }: { error?: unknown; error_description?: unknown }): string {
  return `The provider answered ${[error ?? 'nothing of use', error_description].filter(Boolean).join(': ')}`;
}

function refuse(reason: string): void {
  say('', tokenField());
  mark(tokenField(), `You are not signed in. ${reason}`);
}

/** As it is registered with the provider. */
function here(): string {
  return location.origin + location.pathname;
}

/** Several services can have the same origin. */
function name(): string {
  return `sign-in ${root()}`;
}

function base64url(bytes: ArrayBuffer): string {
  const text = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
