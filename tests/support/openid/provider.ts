import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { OAuth2Server } from 'oauth2-mock-server';
import { listen } from '../listen.js';

/** An OpenID Connect provider on this machine, with keys of its own. */
export type Provider = Awaited<ReturnType<typeof startProvider>>;

export const AUDIENCE = 'client-of-the-tests';

/** Starts a provider with a key for ES256. */
export async function startProvider() {
  let { service } = new OAuth2Server();
  const server = createServer((request, response) => {
    provider.requests.push(request.url as string);
    (provider.instead ?? service.requestHandler)(request, response);
  });
  const issuer = `http://${await listen(server)}`;
  const provider = {
    issuer,
    /** The paths that were asked for, since the test last emptied it. */
    requests: [] as string[],
    /** Answers in its place while the test sets it. */
    instead: undefined as RequestListener | undefined,
    /** Publishes a new key. Without a name, it is called like the algorithm. */
    addKey: (algorithm: string, kid = algorithm) => service.issuer.keys.generate(algorithm, { kid }),
    withdrawKeys() {
      service = new OAuth2Server().service;
      service.issuer.url = issuer;
    },
    /**
     * Signs a token of Ada's that is for {@link AUDIENCE} and expires in an hour.
     *
     * @param claims - Claims that differ; one that is undefined is left out.
     * @param header - Members of the header that differ. `kid` chooses the key.
     */
    sign: (claims?: object, { kid = 'ES256', ...members }: { readonly kid?: string; readonly typ?: unknown } = {}) =>
      service.issuer.buildToken({
        kid,
        scopesOrTransform(header, payload) {
          Object.assign(header, members);
          Object.assign(payload, { aud: AUDIENCE, sub: 'ada' }, claims);
        },
      }),
    async stop() {
      if (!server.listening) return;
      server.close().closeAllConnections();
      await once(server, 'close');
    },
  };
  service.issuer.url = issuer;
  await provider.addKey('ES256');
  return provider;
}
