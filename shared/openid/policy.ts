/** Whose tokens are taken, and what one may do with them. */
export interface TokenPolicy {
  /** The provider, letter by letter as `iss` in its tokens. */
  readonly issuer: string;
  /** Whom the tokens are for. */
  readonly audience: string;
  /**
   * Who shares a list: `all` callers; nobody, if it is `sub` or left out; or those whose tokens have the same value in the claim
   * of this name, which is 1 to 255 visible characters of ASCII.
   */
  readonly listBy?: string | undefined;
  /** The scope that GET and HEAD need (RFC 6749, section 3.3); none if left out. */
  readonly readScope?: string | undefined;
  /** The scope that all other methods need; none if left out. */
  readonly writeScope?: string | undefined;
  /** The public client as which the page signs somebody in (RFC 6749, section 2.2); the page does not, if left out. */
  readonly client?: string | undefined;
}
