import type { IncomingMessage, RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import { authorize, type SignIn } from './authorize.js';
import { endSession } from './end-session.js';
import type { Grant, Grants } from './grants.js';
import { type Answer, failure, json, NAMING } from './provider-answer.js';

/** An OpenID Connect provider of this machine. */
export interface Provider extends SignIn {
  readonly issuer: string;
}

/**
 * Creates a provider with authorization code and PKCE, as browsers use it, and refresh tokens. It asks for no password, so of
 * what browsers send it takes just what belongs to a sign-in: navigations, and calls from pages of the origins named. Other
 * websites could otherwise fetch tokens through the developer's browser. Programs of this machine are not asked for anything.
 */
export function createProvider(provider: Provider): RequestListener {
  return async (request, response) => {
    const { origin } = request.headers;
    const isForeign = comesFromElsewhere(request, provider.origins);
    const cors = !isForeign && origin !== undefined && { 'Access-Control-Allow-Origin': origin, ...PREFLIGHT };
    try {
      const { status, headers, body } = isForeign ? refusal(origin) : await answer(provider, request);
      response.writeHead(status, { 'Cache-Control': 'no-store', Vary: 'Origin', ...cors, ...headers }).end(body);
    } catch {
      // The caller closed the connection before the whole request arrived.
      response.destroy();
    }
  };
}

const PREFLIGHT = { 'Access-Control-Allow-Methods': 'GET, POST', 'Access-Control-Allow-Headers': '*' };

function comesFromElsewhere({ method, headers }: IncomingMessage, origins: readonly string[]): boolean {
  const { origin, 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers;
  if (origin !== undefined) return !origins.includes(origin);
  // Only browsers send `Sec-Fetch-Site`.
  return site !== undefined && !(mode === 'navigate' && method === 'GET');
}

function refusal(origin = 'another origin'): Answer {
  return { ...failure('invalid_request', `Pages of ${origin} get no tokens here: ${NAMING}`), status: 403 };
}

async function answer(provider: Provider, request: IncomingMessage): Promise<Answer> {
  const [, path, query] = /^([^?]*)(.*)$/.exec(String(request.url)) ?? [];
  switch (`${request.method} ${path}`) {
    case 'GET /.well-known/openid-configuration':
      return json(configurationOf(provider.issuer));
    case 'GET /jwks':
      return json({ keys: [provider.grants.publicKey] });
    case 'GET /authorize':
      return authorize(provider, new URLSearchParams(query));
    case 'GET /end-session':
      return await endSession(provider, new URLSearchParams(query));
    case 'POST /token':
      return await issueTokens(provider, new URLSearchParams(await text(request)));
    default:
      return request.method === 'OPTIONS'
        ? { status: 204 }
        : { ...failure('invalid_request', `There is no ${request.method} ${path}.`), status: 404 };
  }
}

function configurationOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    end_session_endpoint: `${issuer}/end-session`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}

async function issueTokens({ grants }: Provider, form: URLSearchParams): Promise<Answer> {
  const redeemed = redeem(grants, form);
  return 'status' in redeemed ? redeemed : json(await grants.tokensFor(redeemed));
}

function redeem(grants: Grants, form: URLSearchParams): Grant | Answer {
  const [clientId, redirectUri, codeVerifier] = ['client_id', 'redirect_uri', 'code_verifier'].map(
    (name) => form.get(name) ?? '',
  ) as [string, string, string];
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return grants.redeemCode(form.get('code') ?? '', { clientId, redirectUri, codeVerifier }) ?? WRONG_CODE;
    case 'refresh_token':
      return grants.redeemRefreshToken(form.get('refresh_token') ?? '', clientId) ?? WRONG_REFRESH_TOKEN;
    default:
      return failure('unsupported_grant_type', 'It takes authorization_code and refresh_token.');
  }
}

const WRONG_CODE = failure(
  'invalid_grant',
  'The code was not issued in the last minute for this client_id, redirect_uri and code_verifier, or was redeemed before.',
);
const WRONG_REFRESH_TOKEN = failure(
  'invalid_grant',
  'The refresh token was not issued here since the start for this client_id, or was redeemed before.',
);
