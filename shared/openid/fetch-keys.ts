import http from 'node:http';
import https from 'node:https';
import type { JSONWebKeySet, JWK } from 'jose';
import { messageOf } from '../log/log.js';
import { uptime } from '../time/uptime.js';
import { isTrustworthy } from './issuer.js';

const MAX_BYTES = 65_536;

export interface Published extends JSONWebKeySet {
  /** Undefined if the provider names no endpoints, or unsafe ones. */
  readonly endpoints?: Endpoints | undefined;
}

/** URLs (RFC 6749, section 3). */
export interface Endpoints {
  readonly authorization: string;
  readonly token: string;
}

/** Any member may be missing or have another type. */
type Answer = Readonly<Record<string, unknown>>;

/**
 * Fetches the keys of a provider (OpenID Connect Discovery 1.0, section 4; RFC 7517).
 *
 * @param timeout - For both requests together, in milliseconds.
 * @returns The public keys of the types that are accepted, without RSA keys with an unsafe exponent; and where people
 * sign in.
 * @throws Error if an answer is late, has another status than 200 or more than 64 kB, or names another issuer; if the
 * URL of the keys is not trustworthy; or if there are none.
 */
export async function fetchKeys(issuer: string, timeout: number): Promise<Published> {
  const deadline = uptime() + timeout;
  // A new one, because the connection of an earlier fetch may have ended while Lambda had frozen the instance.
  const agent = new (transportOf(issuer).Agent)({ keepAlive: true });
  try {
    const configuration = await getJson(
      `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      deadline,
      agent,
    );
    if (configuration.issuer !== issuer) throw new Error(`the configuration at ${issuer} is of another issuer`);
    const url = String(configuration.jwks_uri);
    if (!isOf(issuer, url))
      throw new Error(`the configuration of ${issuer} names a jwks_uri that is not to be trusted`);
    const { keys } = await getJson(url, deadline, agent);
    const usable = Array.isArray(keys) ? keys.filter(isPublicKey) : [];
    if (usable.length === 0) throw new Error(`there are no public keys at ${url}`);
    return { keys: usable, endpoints: endpointsIn(configuration, issuer) };
  } finally {
    agent.destroy();
  }
}

function transportOf(url: string) {
  return url.startsWith('http:') ? http : https;
}

/** A provider with https must use it for all its URLs. */
function isOf(issuer: string, url: string): boolean {
  return isTrustworthy(url) && new URL(url).protocol === new URL(issuer).protocol;
}

export function endpointsIn(configuration: Answer, issuer: string): Endpoints | undefined {
  const { authorization_endpoint: authorization, token_endpoint: token } = configuration;
  const isUsable = (url: unknown): url is string => typeof url === 'string' && isOf(issuer, url) && hasPlainOrigin(url);
  return isUsable(authorization) && isUsable(token) ? { authorization, token } : undefined;
}

/** The origin goes into the page's policy, where a host could contain `*`, or a character that ends a directive. */
function hasPlainOrigin(url: string): boolean {
  return /^https?:\/\/[\w.-]+(:\d+)?$/.test(new URL(url).origin);
}

function isPublicKey(key: unknown): key is JWK {
  if (!isObject(key) || 'd' in key) return false;
  return key.kty === 'RSA' ? isExponent(key.e) : ['EC', 'OKP'].includes(String(key.kty));
}

/** With an exponent of 1, everything is its own signature. RFC 8017, section 3.1, wants at least 3. */
function isExponent(encoded: unknown): boolean {
  return typeof encoded === 'string' && BigInt(`0x0${Buffer.from(encoded, 'base64url').toString('hex')}`) >= 3;
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Settles by the deadline. Redirects are not followed. Uses node:http, because `fetch` takes 30 ms to load. */
function getJson(url: string, deadline: number, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'identity' };
    const request = transportOf(url).get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        bytes += chunk.length;
        if (bytes > MAX_BYTES) fail(`more than ${MAX_BYTES} bytes`);
      });
      response.on('error', (error) => fail(error.message, error));
      response.on('end', () => {
        const json = parse(Buffer.concat(chunks).toString());
        if (response.statusCode !== 200) return fail(`status ${response.statusCode}`);
        if (!isObject(json)) return fail('no JSON object');
        clearTimeout(timer);
        resolve(json);
      });
    });
    request.on('error', (error) => fail(messageOf(error), error));
    // After a 101, Node.js gives the connection away, and emits neither `response` nor `error`.
    request.on('upgrade', ({ statusCode }) => fail(`status ${statusCode}`));
    const timer = setTimeout(() => fail('no answer in time'), deadline - uptime());

    function fail(reason: string, cause?: Error) {
      clearTimeout(timer);
      reject(new Error(`could not fetch ${url}: ${reason}`, { cause }));
      // Without the error, which would end the process after an upgrade.
      request.destroy();
    }
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
