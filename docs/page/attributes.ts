/** What a button does, in its attribute `data-do`. */
export type Action = 'again' | 'all' | 'cancel' | 'copy' | 'curl' | 'current' | 'fetch' | 'next' | 'reset' | 'tag';

/** The part of the request that a field is for, in its attribute `data-for`. */
export type Purpose = 'path' | 'query' | 'body' | 'header' | SpecialHeader;

/** The page fills these in. */
export type SpecialHeader = 'If-Match' | 'Idempotency-Key';

declare global {
  /** The build sets it, and leaves out code that a page does not need. */
  const HAS_FILTER: boolean;
  /** Whether some operations ask for a token. */
  const HAS_TOKEN: boolean;
}
