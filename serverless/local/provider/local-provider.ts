import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Grants } from './grants.js';
import { type Answer, authorize, endSession, failure, json, NAMING, type SignIn } from './navigation.js';

export interface LocalProvider {
  /** The variables with which the function accepts the provider's tokens. */
  readonly environment: Readonly<Record<string, string>>;
  /** By the name of each person. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly port: number;
  stop(): Promise<void>;
}

export interface LocalProviderOptions {
  /** The origins of pages that may sign people in; `*` is none. */
  readonly origins: readonly string[];
  /** Of the tokens that are printed. */
  readonly scope?: string;
  /** Of all tokens for the service, for example the claim that names a list. */
  readonly claims?: Readonly<Record<string, string>>;
  /** Of the tokens of a sign-in, in seconds; an hour if left out. */
  readonly lifetime?: number;
}

const NAMES = ['ada', 'bob'];
const AUDIENCE = 'local';
/** Another start may have it. */
export const FIRST_PORT = 3003;
/** Of the tokens that are printed, in seconds. */
const WORKING_DAY = 36_000;

/**
 * Starts a provider that only this machine can reach, with two people. It gives browsers an authorization code with
 * PKCE, and refresh tokens.
 */
export async function startLocalProvider(options: LocalProviderOptions): Promise<LocalProvider> {
  const { origins, scope = '', claims = {}, lifetime = 3_600 } = options;
  const server = createServer();
  await listen(server);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const grants = await Grants.create({ issuer, audience: AUDIENCE, claims, lifetime });
  server.on('request', answerAll({ issuer, grants, origins, names: NAMES }));
  const tokens = NAMES.map(async (name) => [name, await grants.accessToken(name, scope, WORKING_DAY)] as const);
  return {
    environment: { TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: AUDIENCE, TOKEN_CLIENT: 'page' },
    tokens: Object.fromEntries(await Promise.all(tokens)),
    port,
    async stop() {
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
}

/**
 * Listens on the same port each time, because the issuer is part of the names of people's partitions. If another start
 * has the port, takes one of the hundred above.
 */
async function listen(server: Server): Promise<void> {
  for (let port = FIRST_PORT; port <= FIRST_PORT + 100; port++) {
    try {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
  }
  throw new Error(`No port from ${FIRST_PORT} to ${FIRST_PORT + 100} is free.`);
}

interface Provider extends SignIn {
  readonly issuer: string;
}

/**
 * The provider asks for no password, so it takes from browsers only navigations, and calls from pages of the named
 * origins. Other websites could otherwise fetch tokens through the developer's browser. Programs on this machine may
 * call.
 */
function answerAll(provider: Provider): RequestListener {
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
  return failure('invalid_request', `Pages of ${origin} get no tokens here: ${NAMING}`, 403);
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
      return await issueTokens(provider.grants, new URLSearchParams(await text(request)));
    default:
      return request.method === 'OPTIONS'
        ? { status: 204 }
        : failure('invalid_request', `There is no ${request.method} ${path}.`, 404);
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

async function issueTokens(grants: Grants, form: URLSearchParams): Promise<Answer> {
  const parameter = (name: string) => form.get(name) ?? '';
  const clientId = parameter('client_id');
  const isCode = parameter('grant_type') === 'authorization_code';
  if (!isCode && parameter('grant_type') !== 'refresh_token') {
    return failure('unsupported_grant_type', 'It takes authorization_code and refresh_token.');
  }
  const redemption = { clientId, redirectUri: parameter('redirect_uri'), codeVerifier: parameter('code_verifier') };
  const grant = isCode
    ? grants.redeemCode(parameter('code'), redemption)
    : grants.redeemRefreshToken(parameter('refresh_token'), clientId);
  return grant
    ? json(await grants.tokensFor(grant))
    : failure('invalid_grant', isCode ? WRONG_CODE : WRONG_REFRESH_TOKEN);
}

const WRONG_CODE =
  'The code was not issued in the last minute for this client_id, redirect_uri and code_verifier, or was redeemed before.';
const WRONG_REFRESH_TOKEN =
  'The refresh token was not issued here since the start for this client_id, or was redeemed before.';
