import { errors, type JWTPayload, jwtVerify } from 'jose';
import { type KeyCache, KeysUnavailable } from './key-cache.js';
import { isIdentifier, type TokenPolicy } from './policy.js';

export type Verified =
  | { readonly subject: string; readonly claims: JWTPayload }
  | { readonly reason: string; readonly more?: string }
  | KeysUnavailable;

type Keys = Pick<KeyCache, 'find' | 'fetchedAt'>;

/** Only asymmetric ones, so that no public key can be taken for a secret (RFC 8725, section 2.1). */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => family + size));
const EDWARDS = ['EdDSA', 'Ed25519'];

/** In seconds. */
const CLOCK_SKEW = 60;

/**
 * Verifies a JSON Web Token (RFC 7519) by the rules of RFC 8725.
 *
 * @returns The subject and all claims; or the first check that failed, as a sentence that repeats nothing of the token;
 * or the error if the keys are unavailable.
 */
export async function verifyToken(token: string, policy: TokenPolicy, keys: Keys): Promise<Verified> {
  const now = Date.now();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
      algorithms: [...ALGORITHMS, ...EDWARDS],
      issuer: policy.issuer,
      requiredClaims: ['exp'],
      clockTolerance: CLOCK_SKEW,
      currentDate: new Date(now),
    });
    const { typ = 'JWT' } = protectedHeader;
    if (typeof typ !== 'string' || !/^(application\/)?(at\+)?jwt$/i.test(typ))
      return { reason: 'The token is of another type.' };
    if (payload.events !== undefined) return { reason: REASONS.events };
    if (payload.iat !== undefined && payload.iat > now / 1_000 + CLOCK_SKEW) return { reason: REASONS.iat };
    if (!isFor(policy.audience, payload)) return { reason: REASONS.aud };
    return isIdentifier(payload.sub) ? { subject: payload.sub, claims: payload } : { reason: REASONS.sub };
  } catch (error) {
    if (error instanceof KeysUnavailable) return error;
    const reason = reasonOf(error);
    return reason === BY_CODE.ERR_JWKS_NO_MATCHING_KEY
      ? { reason, more: `That was at ${keys.fetchedAt.toISOString()}.` }
      : { reason };
  }
}

/** Cognito's access tokens have `client_id` instead of `aud`. API Gateway's own authorizer takes it as well. */
function isFor(audience: string, { aud, client_id }: JWTPayload): boolean {
  return aud === undefined ? client_id === audience : [aud].flat().includes(audience);
}

const REASONS = {
  iss: 'The token is of another issuer.',
  aud: 'The token is for another audience.',
  // Security event tokens (RFC 8417), for example logout tokens.
  events: 'The token reports events, as logout tokens do, and is no access token.',
  sub: 'The token has no subject that can be used.',
  exp: 'The token does not say when it expires.',
  nbf: 'The token is not valid yet.',
  iat: 'The token was issued in the future.',
};

const NO_JWT = 'The token is not a signed JSON Web Token.';
const BAD_KEY = 'The key that the token is signed with cannot be used.';

const BY_CODE: Readonly<Record<errors.JOSEErrorCode, string>> = {
  ERR_JWT_EXPIRED: 'The token has expired.',
  ERR_JOSE_ALG_NOT_ALLOWED: 'The token is signed with an algorithm that is not accepted.',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: 'The signature of the token is wrong.',
  ERR_JWKS_NO_MATCHING_KEY:
    'The token is signed with a key that was not among those of the issuer when they were last fetched.',
  ERR_JWKS_MULTIPLE_MATCHING_KEYS: 'The token does not name the key that it is signed with.',
  ERR_JWKS_INVALID: BAD_KEY,
  ERR_JWK_INVALID: BAD_KEY,
  ERR_JWKS_TIMEOUT: BAD_KEY,
  // A claim of another type than RFC 7519 wants.
  ERR_JWT_CLAIM_VALIDATION_FAILED: NO_JWT,
  ERR_JWT_INVALID: NO_JWT,
  ERR_JWS_INVALID: NO_JWT,
  ERR_JWE_INVALID: NO_JWT,
  ERR_JWE_DECRYPTION_FAILED: NO_JWT,
  ERR_JOSE_NOT_SUPPORTED: NO_JWT,
  ERR_JOSE_GENERIC: NO_JWT,
};

/**
 * Uses only the kind of an error, because jose's errors contain claims. Any other error comes from the crypto that
 * reads the key.
 */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed && error.reason !== 'invalid')
    return REASONS[error.claim as keyof typeof REASONS];
  return error instanceof errors.JOSEError ? BY_CODE[error.code as errors.JOSEErrorCode] : BAD_KEY;
}
