import { errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { KeysUnavailable } from './key-cache.js';
import { isIdentifier, type TokenPolicy } from './policy.js';

/** What a token says, why it is not valid, or why that can't be told now. */
export type Verified =
  | { readonly subject: string; readonly claims: JWTPayload }
  | { readonly reason: string }
  | KeysUnavailable;

/** Asymmetric ones only, so that no public key can be taken for a secret (RFC 8725, section 2.1). */
const ALGORITHMS = ['RS', 'PS', 'ES'].flatMap((family) => ['256', '384', '512'].map((size) => family + size));
const EDWARDS = ['EdDSA', 'Ed25519'];

/** How far the clocks of the provider and of this machine may differ, in seconds. */
const CLOCK_SKEW = 60;

/**
 * Verifies a JSON Web Token (RFC 7519) by the rules of RFC 8725.
 *
 * @param token - As it was sent.
 * @returns Its subject and its claims; the first check that it fails, as a sentence that repeats nothing of it; or the
 * KeysUnavailable that `findKey` throws.
 */
export async function verifyToken(token: string, policy: TokenPolicy, findKey: JWTVerifyGetKey): Promise<Verified> {
  const now = Date.now();
  try {
    const { payload, protectedHeader } = await jwtVerify(token, findKey, {
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
    return { reason: reasonOf(error) };
  }
}

/** Cognito's access tokens have no `aud`, but a `client_id`. API Gateway's own authorizer takes it as well. */
function isFor(audience: string, { aud, client_id }: JWTPayload): boolean {
  return aud === undefined ? client_id === audience : [aud].flat().includes(audience);
}

const REASONS = {
  iss: 'The token is of another issuer.',
  aud: 'The token is for another audience.',
  // Security event tokens (RFC 8417), of which logout tokens are a kind.
  events: 'The token reports events, as logout tokens do, and is no access token.',
  sub: 'The token has no subject that can be used.',
  exp: 'The token does not say when it expires.',
  nbf: 'The token is not valid yet.',
  iat: 'The token was issued in the future.',
};

/** Errors of jose have the claims in them, so nothing but their kind is used. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JWTClaimValidationFailed && error.reason !== 'invalid')
    return REASONS[error.claim as keyof typeof REASONS];
  if (error instanceof errors.JOSEAlgNotAllowed) return 'The token is signed with an algorithm that is not accepted.';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'The signature of the token is wrong.';
  if (error instanceof errors.JWKSNoMatchingKey) return 'The issuer has no key that the token is signed with.';
  if (error instanceof errors.JWKSMultipleMatchingKeys)
    return 'The token does not name the key that it is signed with.';
  if (error instanceof errors.JOSEError) return 'The token is not a signed JSON Web Token.';
  return 'The key that the token is signed with cannot be used.';
}
