export interface Request {
  /** Case-sensitive (RFC 9110, section 9.1). */
  readonly method: string;
  /** The path after the prefix, percent-encoded; the root's may be empty. */
  readonly path: string;
  /** A stage, a base path, or nothing. Without a slash at the end. */
  readonly prefix: string;
  /** The gateway's id of the request, or else Lambda's, for callers to quote. */
  readonly id: string;
  /** As the gateway passed it on. */
  readonly body: string | undefined;
  readonly isBase64Encoded: boolean;
  /** Takes a name in lower case. Repeated fields are joined by commas (RFC 9110, section 5.3). */
  header(name: string): string | undefined;
  /** Gives the decoded value of a parameter, the last one if it is repeated. Names are case-sensitive. */
  query(name: string): string | undefined;
}

/** Each name is spelled as in its RFC. */
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

export type Parsed<Value> = { readonly value: Value } | { readonly rejected: Response };

export interface Admitted {
  /** Stands for the caller in the log, which must not contain subjects. */
  readonly caller: string;
  /** Undefined if all callers share the items. */
  readonly owner: string | undefined;
}

export interface Refused {
  readonly rejected: Response;
  /** Left out if nobody knows who sent the request. */
  readonly caller?: string;
}

export type Authenticate = (request: Request) => Promise<Admitted | Refused>;

export const API_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;
