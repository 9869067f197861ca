/** What a button does, in its attribute `data-do`. */
export type Action = 'again' | 'all' | 'cancel' | 'copy' | 'curl' | 'current' | 'fetch' | 'next' | 'reset' | 'tag';

/** What a field is for, in its attribute `data-for`: a part of the request. */
export type Purpose = 'path' | 'query' | 'body' | 'header' | SpecialHeader;

/** Header fields that the page fills in. */
export type SpecialHeader = 'If-Match' | 'Idempotency-Key';

declare global {
  /** Whether the page has a filter. The build sets it, and leaves out code that a page does not need. */
  const HAS_FILTER: boolean;
  /** Whether some operations ask for a token. */
  const HAS_TOKEN: boolean;
}
