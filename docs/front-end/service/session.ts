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
import { tabStorage } from './tab-storage.js';

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
  /** Whether they were signed in already, and had to sign in again during a call, which was not answered. */
  readonly isBack: boolean;
}

/** How long the provider may take to answer, in seconds. */
const TIME_OUT = 10;
/** Kept in the tab after sign-out: the sentence to show. */
const SIGNED_OUT = 'todo-app.signed-out';
/** Goes to the provider and back with a sign-in that interrupts a call. */
const AGAIN = 'again';

/**
 * Signs a person in and out. The tokens are kept here and nowhere else, so a page that is loaded again signs in again. A page has one
 * session, which is made outside of the components that show it.
 */
export class Session implements Tokens {
  /** Is told that the person has signed out, with a sentence for them, if the browser stays on this page. */
  onSignedOut: (sentence: string) => void = () => {};
  readonly #settings: SignIn;
  readonly #tabs: BroadcastChannel;
  #made: UserManager | undefined;
  #start: Promise<Person | string> | undefined;
  #user: User | undefined;
  /** Whether the service has accepted the current token. */
  #isAccepted = false;
  #renewal: Promise<boolean> | undefined;
  #redirect: Promise<never> | undefined;

  constructor(settings: SignIn) {
    this.#settings = settings;
    this.#tabs = new BroadcastChannel(`${SIGNED_OUT} ${settings.issuer} ${settings.client}`);
    this.#tabs.onmessage = () => this.#endHere('You have signed out in another tab.');
  }

  /**
   * Finishes a sign-in, or begins one: then the browser leaves this page, and nothing is returned. Further calls return the same, as
   * React's StrictMode makes them, unless it has failed.
   *
   * @returns Who is signed in, or a sentence for a person who has signed out.
   * @throws Failure if the sign-in failed.
   */
  start(): Promise<Person | string> {
    this.#start ??= this.#begin().catch((error) => {
      this.#start = undefined;
      throw error;
    });
    return this.#start;
  }

  /**
   * Sends the browser to the provider.
   *
   * @throws Failure if the provider can't be reached. Otherwise the browser leaves this page.
   */
  signIn(): Promise<never> {
    return this.#goToProvider();
  }

  /** Signs out: in this tab and in others, and at the provider. The browser leaves this page, unless {@link onSignedOut} is called. */
  async signOut(): Promise<void> {
    const { signOutUrl } = this.#settings;
    this.#forget('You have signed out.');
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
  }

  current(): string {
    return this.#user?.access_token ?? '';
  }

  accept(token: string): void {
    if (token === this.current()) this.#isAccepted = true;
  }

  async renew(rejected: string): Promise<boolean> {
    // The person has signed out meanwhile.
    if (!this.#user) return false;
    if (rejected !== this.current()) return true;
    // A new token from the same provider would be rejected for the same reason.
    if (!this.#isAccepted) return false;
    // A refresh token may be valid only once.
    this.#renewal ??= this.#refresh().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  /** Made when it is needed, because it throws where a browser stores nothing for this site. */
  get #manager(): UserManager {
    this.#made ??= createManager(this.#settings, tabStorage());
    return this.#made;
  }

  async #begin(): Promise<Person | string> {
    const answer = new URLSearchParams(location.search);
    const state = answer.get('state');
    if (state !== null && (answer.has('code') || answer.has('error'))) return this.#finish(state);
    return tabStorage().getItem(SIGNED_OUT) ?? this.signIn();
  }

  async #finish(state: string): Promise<Person> {
    const url = location.href;
    history.replaceState(history.state, '', location.pathname);
    const { stateStore } = this.#manager.settings;
    if (!(await stateStore.get(state))) throw new Failure('This tab has not asked for that sign-in.');
    this.#user = await this.#manager.signinCallback(url).catch((error) => {
      throw this.#failureOf(error);
    });
    if (!this.#user) throw new Failure('You are not signed in.');
    const { sub, name, preferred_username, email } = this.#user.profile;
    const id = `${this.#settings.issuer} ${sub}`;
    return { id, name: name ?? preferred_username ?? email ?? sub, isBack: this.#user.state === AGAIN };
  }

  async #refresh(): Promise<boolean> {
    if (!this.#user?.refresh_token) return this.#goToProvider(AGAIN);
    try {
      this.#user = (await this.#manager.signinSilent({ silentRequestTimeoutInSeconds: TIME_OUT })) ?? undefined;
    } catch (error) {
      if (error instanceof ErrorResponse && error.error === 'invalid_grant') return this.#goToProvider(AGAIN);
      throw this.#failureOf(error);
    }
    this.#isAccepted = false;
    return true;
  }

  /** Goes there once, however many calls need it. */
  #goToProvider(state?: string): Promise<never> {
    this.#redirect ??= this.#leave(state).finally(() => {
      this.#redirect = undefined;
    });
    return this.#redirect;
  }

  async #leave(state?: string): Promise<never> {
    await this.#reach();
    tabStorage().removeItem(SIGNED_OUT);
    await this.#manager.signinRedirect({ state }).catch((error) => {
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
    this.#forget(sentence);
    void this.#made?.removeUser();
    this.onSignedOut(sentence);
  }

  #forget(sentence: string): void {
    this.#user = undefined;
    this.#start = undefined;
    tabStorage().setItem(SIGNED_OUT, sentence);
  }
}

function createManager({ issuer, client, scope, audience }: SignIn, storage: Storage): UserManager {
  const here = location.origin + location.pathname;
  return new UserManager({
    authority: issuer,
    client_id: client,
    scope,
    redirect_uri: here,
    post_logout_redirect_uri: here,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: storage }),
    // So that Back leads to the page before this one. This one would sign in once more.
    redirectMethod: 'replace',
    ...(audience && { extraQueryParams: { audience }, ...(URL.canParse(audience) && { resource: audience }) }),
    automaticSilentRenew: false,
    requestTimeoutInSeconds: TIME_OUT,
  });
}
