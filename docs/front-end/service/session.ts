import {
  ErrorResponse,
  ErrorTimeout,
  InMemoryWebStorage,
  type User,
  UserManager,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { Failure } from './failure.js';
import type { Tokens } from './send.js';

/** The provider that people sign in with, and what to ask it for. */
export interface SignIn {
  /** The issuer of the OpenID Connect provider. */
  readonly issuer: string;
  /** The id under which the provider knows this app: a public client, with this page's address as its redirect URI. */
  readonly client: string;
  /** `openid`, and the scopes that the service needs. */
  readonly scope: string;
  /** The audience of the tokens, which is the service's, for a provider that must be told. */
  readonly audience?: string | undefined;
  /** Where to sign out, for a provider without `end_session_endpoint`, or with one that is not standard, such as Cognito's. */
  readonly signOutUrl?: string | undefined;
}

/** The person who is signed in. */
export interface Person {
  /** Unique to the person. */
  readonly id: string;
  /** To be shown. */
  readonly name: string;
}

/** How long the provider may take to answer, in seconds. */
const TIME_OUT = 10;
/** Kept in the tab after sign-out: the sentence to show. */
const SIGNED_OUT = 'signed-out';

/** Signs a person in and out. The tokens are kept here and nowhere else, so a page that is loaded again signs in again. */
export class Session implements Tokens {
  readonly #settings: SignIn;
  readonly #manager: UserManager;
  readonly #states = new WebStorageStateStore({ store: sessionStorage });
  readonly #tabs: BroadcastChannel;
  #user: User | undefined;
  /** Whether the service has accepted the current token. */
  #isAccepted = false;
  #renewal: Promise<boolean> | undefined;
  #redirect: Promise<never> | undefined;

  constructor(settings: SignIn) {
    const { issuer, client, scope, audience } = settings;
    const here = location.origin + location.pathname;
    this.#settings = settings;
    this.#manager = new UserManager({
      authority: issuer,
      client_id: client,
      scope,
      redirect_uri: here,
      post_logout_redirect_uri: here,
      userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
      stateStore: this.#states,
      // So that Back leads to the page before this one. This one would sign in once more.
      redirectMethod: 'replace',
      ...(audience && { extraQueryParams: { audience }, ...(URL.canParse(audience) && { resource: audience }) }),
      automaticSilentRenew: false,
      requestTimeoutInSeconds: TIME_OUT,
    });
    this.#tabs = new BroadcastChannel(`${SIGNED_OUT} ${issuer} ${client}`);
    this.#tabs.onmessage = () => {
      this.#endHere('You have signed out in another tab.');
      location.reload();
    };
  }

  /**
   * Finishes a sign-in, or begins one: then the browser leaves this page, and nothing is returned.
   *
   * @returns Who is signed in, or a sentence for a person who has signed out.
   * @throws Failure if the sign-in failed.
   */
  async start(): Promise<Person | string> {
    const answer = new URLSearchParams(location.search);
    const state = answer.get('state');
    if (state !== null && (answer.has('code') || answer.has('error'))) return this.#finish(state);
    return sessionStorage.getItem(SIGNED_OUT) ?? this.signIn();
  }

  /**
   * Sends the browser to the provider.
   *
   * @throws Failure if the provider can't be reached. Otherwise the browser leaves this page.
   */
  signIn(): Promise<never> {
    this.#redirect ??= this.#leave().finally(() => {
      this.#redirect = undefined;
    });
    return this.#redirect;
  }

  /** Signs out: in this tab and in others, and at the provider. The browser leaves this page. */
  async signOut(): Promise<void> {
    const { signOutUrl } = this.#settings;
    this.#endHere('You have signed out.');
    this.#tabs.postMessage('signed out');
    try {
      await this.#reach();
      if (signOutUrl) return location.replace(signOutUrl);
      if (await this.#manager.metadataService.getEndSessionEndpoint()) {
        return await this.#manager.signoutRedirect({ extraQueryParams: {} });
      }
      this.#endHere('You have signed out here, but not where you sign in: this provider offers no way to do so.');
    } catch {
      this.#endHere('You have signed out here, but not where you sign in: it can not be reached.');
    }
    location.reload();
  }

  current(): string {
    return this.#user?.access_token ?? '';
  }

  accept(token: string): void {
    if (token === this.current()) this.#isAccepted = true;
  }

  async renew(rejected: string): Promise<boolean> {
    if (rejected !== this.current()) return true;
    // A new token from the same provider would be rejected for the same reason.
    if (!this.#isAccepted) return false;
    // A refresh token may be valid only once.
    this.#renewal ??= this.#refresh().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #finish(state: string): Promise<Person> {
    const url = location.href;
    history.replaceState(history.state, '', location.pathname);
    if ((await this.#states.get(state)) === null) throw new Failure('This tab has not asked for that sign-in.');
    this.#user = await this.#manager.signinCallback(url).catch((error) => {
      throw this.#failureOf(error);
    });
    if (!this.#user) throw new Failure('You are not signed in.');
    const { sub, name, preferred_username, email } = this.#user.profile;
    return { id: `${this.#settings.issuer} ${sub}`, name: name ?? preferred_username ?? email ?? sub };
  }

  async #refresh(): Promise<boolean> {
    if (!this.#user?.refresh_token) return this.signIn();
    try {
      this.#user = (await this.#manager.signinSilent({ silentRequestTimeoutInSeconds: TIME_OUT })) ?? undefined;
    } catch (error) {
      if (error instanceof ErrorResponse && error.error === 'invalid_grant') return this.signIn();
      throw this.#failureOf(error);
    }
    this.#isAccepted = false;
    return true;
  }

  async #leave(): Promise<never> {
    await this.#reach();
    sessionStorage.removeItem(SIGNED_OUT);
    await this.#manager.signinRedirect().catch((error) => {
      throw this.#failureOf(error);
    });
    // Otherwise, the code after this would run while the browser leaves.
    return new Promise(() => {});
  }

  /** Makes sure that the browser does not leave for a page that it can't show. */
  async #reach(): Promise<void> {
    const url = `${this.#settings.issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const timeOut = new AbortController();
    const timer = setTimeout(() => timeOut.abort(), TIME_OUT * 1_000);
    try {
      const { ok, status } = await fetch(url, { cache: 'no-store', signal: timeOut.signal });
      if (!ok) throw new Error(`It answered ${status}.`);
    } catch (error) {
      throw this.#failureOf(error);
    } finally {
      clearTimeout(timer);
    }
  }

  #failureOf(error: unknown): Failure {
    const { host } = new URL(this.#settings.issuer);
    if (error instanceof ErrorResponse)
      return new Failure(`You are not signed in. ${error.error_description || error.error}`);
    const isUnreached = error instanceof TypeError || error instanceof DOMException || error instanceof ErrorTimeout;
    if (isUnreached) return new Failure(`${host}, where you sign in, can not be reached. Try again.`);
    return new Failure(`You could not be signed in at ${host}. ${error instanceof Error ? error.message : error}`);
  }

  #endHere(sentence: string): void {
    this.#user = undefined;
    sessionStorage.setItem(SIGNED_OUT, sentence);
  }
}
