/** A request as the operations see it, whichever gateway it came through. */
export interface Request {
  /** As sent: HTTP methods are case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The path behind the prefix, percent-encoded; the root's may be empty. */
  readonly path: string;
  /** What the caller's own URL has in front of the path: a stage, a base path, or nothing. It has no slash at the end. */
  readonly prefix: string;
  /** The gateway's name for this request, or Lambda's when it gave none, for callers to quote. */
  readonly id: string;
  /** The content as the gateway handed it over, undefined when there is none. */
  readonly body: string | undefined;
  readonly isBase64Encoded: boolean;
  /** Whether the gateway compresses long responses itself. */
  readonly gatewayCompresses: boolean;
  /**
   * Reads a header field by its name in lower case; undefined when it was not sent. The values of a repeated field are
   * joined by commas (RFC 9110, section 5.3).
   */
  header(name: string): string | undefined;
  /**
   * Reads a query parameter by its name, which is case-sensitive: its decoded value, the last one if it is repeated;
   * undefined when it was not sent.
   */
  query(name: string): string | undefined;
}

/** Header fields by name, each spelled as in its RFC. */
export type Headers = Readonly<Record<string, string>>;

/** An answer as the operations give it, whichever gateway it goes through. */
export interface Response<Status extends number = number> {
  readonly status: Status;
  readonly headers: Headers;
  readonly body?: string;
  readonly isBase64Encoded?: true;
  /** The key of the item that was created, for the log. */
  readonly created?: string;
  /** The code of a problem, for the log. */
  readonly code?: string;
  /** Which check a token failed, for the log: a sentence that repeats nothing of it. */
  readonly refusal?: string;
}

/** A part of a request that was parsed, or the answer to one that can't be. */
export type Parsed<Value> = { readonly value: Value } | { readonly rejected: Response };

/** For a part that was not sent, or that the route ignores. */
export const NOT_SENT: Parsed<undefined> = { value: undefined };

/** Who calls. */
export interface Caller {
  readonly subject: string;
  /** What the token says of the subject. Only the provider knows of which types the values are. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** Names the caller in the log, which has no subjects. */
  readonly pseudonym: string;
}

/** A caller who may go on, and whose items the request is about, undefined if all callers share them. */
export interface Admitted {
  readonly caller: Caller;
  readonly owner: string | undefined;
}

/** The answer to a request that may not go on, and who sent it, as far as that is known. */
export interface Refused {
  readonly rejected: Response;
  readonly caller?: Caller;
  /** Why that can't be found out now, for the log. */
  readonly failure?: Error;
}

/** Finds out who sends a request, whether they may, and whose items it is about. */
export type Authenticate = (request: Request) => Promise<Admitted | Refused>;

/** Header fields of every answer of the API, whatever its content. */
export const API_HEADERS = Object.freeze({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const);
