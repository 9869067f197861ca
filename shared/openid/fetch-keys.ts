import http from 'node:http';
import https from 'node:https';
import type { JSONWebKeySet, JWK } from 'jose';
import { isTrustworthy } from './issuer.mjs';

/** The most that an answer of the provider may have. */
const MAX_BYTES = 65_536;

/** The answers of the provider, none of whose members can be relied on. */
type Answer = Readonly<Record<string, unknown>>;

/**
 * Fetches the keys that a provider has published (OpenID Connect Discovery 1.0, section 4; RFC 7517).
 *
 * @param issuer - The provider. A slash at its end is left out in the URL of its configuration.
 * @param timeout - How long both requests together may take, in milliseconds.
 * @returns Its public keys. Those of types that no algorithm here uses are left out.
 * @throws Error if an answer is late, has another status than 200 or more than 64 kB, or names another issuer, if the keys are
 * at a URL that is not to be trusted, or if there are none.
 */
export async function fetchKeys(issuer: string, timeout: number): Promise<JSONWebKeySet> {
  const deadline = performance.now() + timeout;
  const configuration = await getJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, deadline);
  if (configuration.issuer !== issuer) throw new Error(`the configuration at ${issuer} is of another issuer`);
  const url = String(configuration.jwks_uri);
  if (!isTrustworthy(url) || new URL(url).protocol !== new URL(issuer).protocol)
    throw new Error(`the configuration of ${issuer} names a jwks_uri that is not to be trusted`);
  const { keys } = await getJson(url, deadline);
  const usable = Array.isArray(keys) ? keys.filter(isPublicKey) : [];
  if (usable.length === 0) throw new Error(`there are no public keys at ${url}`);
  return { keys: usable };
}

function isPublicKey(key: unknown): key is JWK {
  return isObject(key) && ['RSA', 'EC', 'OKP'].includes(String(key.kty)) && !('d' in key);
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Redirects are not followed. With node:http, which the table uses anyway, because fetch takes 30 ms to load. */
function getJson(url: string, deadline: number): Promise<Answer> {
  const transport = url.startsWith('http:') ? http : https;
  return new Promise((resolve, reject) => {
    const fail = (reason: string, cause?: Error) => reject(new Error(`could not fetch ${url}: ${reason}`, { cause }));
    const request = transport.get(url, { headers: { Accept: 'application/json' } }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_BYTES) request.destroy(new Error(`more than ${MAX_BYTES} bytes`));
      });
      response.on('error', (error) => fail(error.message, error));
      response.on('end', () => {
        const json = parse(Buffer.concat(chunks).toString());
        if (response.statusCode !== 200) fail(`status ${response.statusCode}`);
        else if (isObject(json)) resolve(json);
        else fail('no JSON object');
      });
    });
    const timer = setTimeout(() => request.destroy(new Error('no answer in time')), deadline - performance.now());
    request.on('close', () => clearTimeout(timer));
    request.on('error', (error) => fail(error.message, error));
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
