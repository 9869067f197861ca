import { createHash, randomUUID, type webcrypto } from 'node:crypto';
import { compactVerify, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

export interface Grant {
  readonly subject: string;
  readonly clientId: string;
  readonly scope: string;
  /** For the ID token. */
  readonly nonce?: string | undefined;
}

/** A grant with a code that is not redeemed yet, and what only the app that asked for it knows (RFC 7636). */
export interface CodeGrant extends Grant {
  readonly redirectUri: string;
  readonly codeChallenge: string;
}

export interface Redemption {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

interface Settings {
  readonly issuer: string;
  readonly audience: string;
  /** Of all access tokens. */
  readonly claims: Readonly<Record<string, string>>;
  /** Of access tokens, in seconds. */
  readonly lifetime: number;
}

/** In milliseconds. RFC 6749, section 4.1.2, recommends ten minutes at most. */
const CODE_LIFETIME = 60_000;
const KEY = { alg: 'ES256', kid: 'local', use: 'sig' };

/** Each code and each refresh token can be redeemed once. */
export class Grants {
  readonly publicKey: JWK;
  readonly #privateKey: webcrypto.CryptoKey;
  readonly #settings: Settings;
  readonly #codes = new Map<string, CodeGrant & { readonly expires: number }>();
  readonly #refreshTokens = new Map<string, Grant>();

  private constructor(publicKey: JWK, privateKey: webcrypto.CryptoKey, settings: Settings) {
    this.publicKey = publicKey;
    this.#privateKey = privateKey;
    this.#settings = settings;
  }

  static async create(settings: Settings): Promise<Grants> {
    const { publicKey, privateKey } = await generateKeyPair(KEY.alg);
    return new Grants({ ...(await exportJWK(publicKey)), ...KEY }, privateKey, settings);
  }

  issueCode(grant: CodeGrant): string {
    const code = randomUUID();
    this.#codes.set(code, { ...grant, expires: Date.now() + CODE_LIFETIME });
    return code;
  }

  /** @returns Undefined unless the code was issued for exactly these values, at most a minute ago. */
  redeemCode(code: string, { clientId, redirectUri, codeVerifier }: Redemption): Grant | undefined {
    const grant = this.#codes.get(code);
    this.#codes.delete(code);
    const isProven = grant?.codeChallenge === createHash('sha256').update(codeVerifier).digest('base64url');
    const isSame = grant?.clientId === clientId && grant.redirectUri === redirectUri;
    return grant && isProven && isSame && grant.expires > Date.now() ? grant : undefined;
  }

  /** @returns Undefined unless the token was issued here to this client. */
  redeemRefreshToken(token: string, clientId: string): Grant | undefined {
    const grant = this.#refreshTokens.get(token);
    if (grant?.clientId !== clientId) return undefined;
    this.#refreshTokens.delete(token);
    return grant;
  }

  /**
   * Ends the refresh tokens of a person for an app.
   *
   * @param idToken - May have expired. Any other text is ignored, for example a token of an earlier start.
   */
  async revokeRefreshTokens(idToken: string): Promise<void> {
    const verified = await compactVerify(idToken, this.publicKey).catch(() => undefined);
    if (!verified) return;
    const { sub, aud } = JSON.parse(new TextDecoder().decode(verified.payload));
    for (const [token, { subject, clientId }] of this.#refreshTokens)
      if (subject === sub && clientId === aud) this.#refreshTokens.delete(token);
  }

  /** RFC 6749, section 5.1; OpenID Connect Core, section 3.1.3.3. */
  async tokensFor(grant: Grant): Promise<object> {
    const { subject, clientId, scope, nonce } = grant;
    const { lifetime } = this.#settings;
    const refreshToken = randomUUID();
    this.#refreshTokens.set(refreshToken, grant);
    const isSignIn = scope.split(' ').includes('openid');
    return {
      access_token: await this.accessToken(subject, scope, lifetime),
      token_type: 'Bearer',
      expires_in: lifetime,
      refresh_token: refreshToken,
      scope,
      ...(isSignIn && { id_token: await this.#sign({ sub: subject, aud: clientId, nonce }, lifetime) }),
    };
  }

  accessToken(sub: string, scope: string, lifetime: number): Promise<string> {
    return this.#sign(
      { ...this.#settings.claims, sub, aud: this.#settings.audience, ...(scope && { scope }) },
      lifetime,
    );
  }

  #sign(claims: Record<string, unknown>, lifetime: number): Promise<string> {
    const token = new SignJWT(claims).setProtectedHeader({ alg: KEY.alg, kid: KEY.kid });
    const now = Math.floor(Date.now() / 1_000);
    return token
      .setIssuer(this.#settings.issuer)
      .setIssuedAt(now)
      .setExpirationTime(now + lifetime)
      .sign(this.#privateKey);
  }
}
