export interface Request {
  /** Case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The path after the prefix, percent-encoded; the root's may be empty. */
  readonly path: string;
  /** A stage, a base path, or nothing. Without a slash at the end. */
  readonly prefix: string;
  /** The gateway's id of the request, or else Lambda's, for callers to quote. */
  readonly id: string;
  /** When it came, as `performance.now()`. */
  readonly receivedAt: number;
  /** As the gateway passed it on. */
  readonly body: string | undefined;
  readonly isBase64Encoded: boolean;
  /** Takes a name in lower case. Repeated fields are joined by commas (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /** Gives the decoded value of a parameter, the last one if it is repeated. Names are case-sensitive. */
  query(name: string): string | undefined;
}

/** Each name is spelled as in its standard. */
export type Headers = Readonly<Record<string, string>>;

export interface Response<Status extends number = number> {
  readonly status: Status;
  readonly headers: Headers;
  readonly body?: string;
  readonly isBase64Encoded?: true;
  /** The code of the problem, for the log. */
  readonly code?: string;
  /** The key of the item, for the log. */
  readonly key?: string;
}

/** @throws Problem if there is no valid token. */
export type Authenticate = (request: Request) => Promise<Caller>;

export interface Caller {
  /** Stands for the caller in the log, which must not contain subjects. */
  readonly pseudonym: string;
  /**
   * Checks what the token allows.
   *
   * @returns The owner of the items; undefined if all callers share them.
   * @throws Problem if the token lacks the scope for the method, or names no owner.
   */
  authorize(method: string): string | undefined;
}

export const API_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;
