/** Header fields by name, each spelled as in its RFC. */
export type Headers = Readonly<Record<string, string>>;

/** An answer as the operations give it, whichever gateway it goes through. */
export interface Response<Status extends number = number> {
  readonly status: Status;
  readonly headers: Headers;
  /** The content; undefined if there is none. */
  readonly body?: string;
  /** Whether `body` is base64, for content that is not text. */
  readonly isBase64Encoded?: true;
}

/** A part of a request that was parsed, or the answer to one that can't be. */
export type Parsed<Value> = { readonly value: Value } | { readonly rejected: Response };

/** Header fields of every answer of the API, whatever its content. */
export const API_HEADERS = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' } as const;
