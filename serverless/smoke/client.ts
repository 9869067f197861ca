import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { messageOf } from '../../shared/log/log.js';
import type { Expected } from './options.js';
import { Fault, hideToken, Interrupted, shown } from './said.js';

export interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: unknown;
  /** Without the token. */
  readonly anonymous?: boolean;
  /** Sent even after an interruption. */
  readonly cleaningUp?: boolean;
}

export interface Answer {
  /** 0 without an answer. */
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed; an empty object unless it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: any JSON may come.
  readonly json: any;
  /** The request and its answer, for a sentence. */
  readonly told: string;
  /** If so, an earlier attempt may have been applied. */
  readonly isRepeated: boolean;
}

/** In milliseconds. A response takes 29 seconds at most behind API Gateway. */
const TIMEOUT = 35_000;
const ATTEMPTS = 5;
/** In seconds. */
const LONGEST_PAUSE = 5;

/** Calls a deployed stage, and no other address. */
export class Client {
  /** Of each answer, in milliseconds. */
  readonly times: number[] = [];
  /** The path of the URL. */
  readonly prefix: string;
  readonly #over = new AbortController();
  readonly #agent: http.Agent;

  /**
   * @param interrupted - Once it is aborted, only calls that clean up are sent.
   * @param cleaningUp - How long these wait for answers in all, in milliseconds.
   */
  constructor(
    readonly expected: Expected,
    readonly interrupted: AbortSignal,
    cleaningUp: number,
  ) {
    this.prefix = new URL(expected.url).pathname.replace(/\/$/, '');
    this.#agent = new (expected.url.startsWith('https:') ? https : http).Agent({ keepAlive: true });
    const end = () => void setTimeout(() => this.#over.abort(), cleaningUp).unref();
    if (interrupted.aborted) end();
    else interrupted.addEventListener('abort', end, { once: true });
  }

  /**
   * Sends a request, and repeats it while there is no answer, or 429 or 503. Nothing that this command sends has an
   * effect twice: it only reads or deletes, has an `Idempotency-Key`, names the version that it changes, or can't be
   * parsed.
   *
   * @param path - Below the stage's URL.
   * @throws Interrupted if the command was interrupted.
   * @throws Fault if the path leads elsewhere.
   */
  async call(method: string, path: string, sent: Sent = {}): Promise<Answer> {
    for (let attempt = 1; ; attempt += 1) {
      const answer = await this.callOnce(method, path, sent);
      const isRepeated = attempt > 1;
      if (![0, 429, 503].includes(answer.status) || attempt === ATTEMPTS) return { ...answer, isRepeated };
      const asked = Number(answer.headers.get('retry-after') ?? 1);
      const pause = Math.min(asked, LONGEST_PAUSE, this.expected.wait) * 1_000;
      await sleep(pause, undefined, { signal: this.#endOf(sent) }).catch(() => {});
    }
  }

  /** Redirects are not followed, so that the token goes nowhere else. */
  async callOnce(method: string, path: string, sent: Sent): Promise<Answer> {
    const { headers, body, anonymous, cleaningUp } = sent;
    const { token, connectTo } = this.expected;
    const url = this.#urlOf(path);
    if (!cleaningUp) this.expectNoInterruption();
    const fields = {
      Accept: '*/*',
      'User-Agent': 'npm run smoke',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && !anonymous && { Authorization: `Bearer ${token}` }),
      ...headers,
    };
    const request = `${method} ${url.pathname}${url.search}`;
    const started = performance.now();
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT), this.#endOf(sent)]);
      const content = typeof body === 'string' ? body : JSON.stringify(body);
      const options = { method, headers: fields, signal, agent: this.#agent, ...via(connectTo) };
      const received = await exchange(url, options, content);
      this.times.push(performance.now() - started);
      return answerOf(received, request, (text) => hideToken(token, text));
    } catch (error) {
      if (!cleaningUp) this.expectNoInterruption();
      // For a request that was given up, only the cause tells why.
      const { cause = error } = error as Error;
      const told = `${request} got no answer (${shown(messageOf(cause as Error))})`;
      return { status: 0, headers: new Headers(), text: '', json: {}, told, isRepeated: false };
    }
  }

  /** @throws Interrupted if the command was interrupted. */
  expectNoInterruption(): void {
    if (this.interrupted.aborted) throw new Interrupted('The command was interrupted.');
  }

  #endOf({ cleaningUp }: Sent): AbortSignal {
    return cleaningUp ? this.#over.signal : this.interrupted;
  }

  /**
   * Parts of a path come from the document and from answers, and may lead to another host when they are joined to the
   * URL.
   */
  #urlOf(path: string): URL {
    const base = new URL(this.expected.url);
    const url = URL.canParse(this.expected.url + path) ? new URL(this.expected.url + path) : undefined;
    if (url?.origin === base.origin && url.pathname.startsWith(`${this.prefix}/`)) return url;
    throw new Fault(`The path ${shown(path)} leads out of ${this.expected.url}, so nothing was sent there.`);
  }
}

interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly content: Buffer;
}

async function exchange(url: URL, options: http.RequestOptions, body: string | undefined): Promise<Received> {
  const { request } = url.protocol === 'https:' ? https : http;
  const response = await new Promise<http.IncomingMessage>((resolve, reject) => {
    const sending = request(url, options);
    sending.once('response', resolve).once('error', reject);
    // Without this, Node.js closes the connection without an error.
    sending.once('upgrade', (_response, socket) => {
      socket.destroy();
      reject(new Error('it answered 101'));
    });
    sending.end(body);
  });
  const headers = new Headers();
  for (const [name, values] of Object.entries(response.headersDistinct))
    for (const value of values as readonly string[]) headers.append(name, value);
  const content = await buffer(response);
  const isCoded = headers.get('content-encoding') === 'gzip' && content.length > 0;
  return { status: response.statusCode as number, headers, content: isCoded ? gunzipSync(content) : content };
}

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Connects to another host, under the name in the URL. */
function via(host: string | undefined): http.RequestOptions {
  if (host === undefined) return {};
  return { lookup: (_name: string, options: LookupOptions, done: Done) => lookup(host, options, done) };
}

function answerOf({ status, headers: received, content }: Received, request: string, hide: (text: string) => string) {
  const headers = new Headers(Array.from(received, ([name, value]): [string, string] => [name, hide(value)]));
  // Buffer keeps a byte order mark, which is no JSON.
  const text = hide(content.toString());
  const json = parse(text);
  const code = json.code === undefined ? '' : ` ${shown(json.code)}`;
  const detail = json.detail ?? json.message;
  const told = `${request} answered ${status}${code}${detail === undefined ? '' : ` (${shown(detail)})`}`;
  return { status, headers, text, json, told, isRepeated: false };
}

function parse(text: string): Answer['json'] {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
