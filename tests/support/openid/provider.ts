import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { listen } from '../listen.js';

/** An OpenID Connect provider on this machine, with keys of its own. It signs nobody in. */
export type Provider = Awaited<ReturnType<typeof startProvider>>;

export const AUDIENCE = 'client-of-the-tests';

/** Starts a provider with a key for ES256. */
export async function startProvider() {
  const keys = new Map<string, JWK & { readonly alg: string }>();
  const server = createServer((request, response) => {
    provider.requests.push(request.url as string);
    (provider.instead ?? answer)(request, response);
  });
  server.on('connection', () => (provider.connections += 1));
  const issuer = `http://${await listen(server)}`;
  const answer: RequestListener = ({ url }, response) => {
    const jwks_uri = `${issuer}/jwks`;
    const configuration = {
      issuer,
      jwks_uri,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      ...provider.published,
    };
    response.end(JSON.stringify(url === '/jwks' ? { keys: [...keys.values()].map(publicOf) } : configuration));
  };
  const provider = {
    issuer,
    /** The paths that were asked for, since the test last emptied it. */
    requests: [] as string[],
    /** How many connections there were. */
    connections: 0,
    /** Members of its configuration that differ. */
    published: {} as Readonly<Record<string, unknown>>,
    /** Answers in its place while the test sets it. */
    instead: undefined as RequestListener | undefined,
    /** Publishes a new key, which replaces one of the same name. Without a name, it is called like the algorithm. */
    async addKey(alg: string, kid = alg) {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      const key = { ...(await exportJWK(privateKey)), alg, kid };
      keys.set(kid, key);
      return key;
    },
    withdrawKeys: () => keys.clear(),
    /**
     * Signs a token of Ada's that is for {@link AUDIENCE} and expires in an hour.
     *
     * @param claims - Claims that differ; one that is undefined is left out.
     * @param header - Members of the header that differ. `kid` chooses the key.
     */
    sign(claims?: object, { kid = 'ES256', ...members }: { readonly kid?: string; readonly typ?: unknown } = {}) {
      const key = keys.get(kid) as JWK & { readonly alg: string };
      const now = Math.floor(Date.now() / 1_000);
      const usual = { iss: issuer, sub: 'ada', aud: AUDIENCE, iat: now, nbf: now, exp: now + 3_600 };
      const header = { alg: key.alg, kid, typ: 'JWT', ...(members as { typ?: string }) };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(key);
    },
    async stop() {
      if (!server.listening) return;
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
  await provider.addKey('ES256');
  return provider;
}

/** A key without its private members (RFC 7518, section 6). */
function publicOf({ d, p, q, dp, dq, qi, ...members }: JWK): JWK {
  return members;
}
