/** What a button does, in its attribute `data-do`. */
export type Action = 'again' | 'all' | 'cancel' | 'copy' | 'curl' | 'current' | 'fetch' | 'next' | 'reset' | 'tag';

/** What a field is for, in its attribute `data-for`: a part of the request. */
export type Purpose = 'path' | 'query' | 'body' | 'header' | SpecialHeader | 'token';

/** Header fields that the page fills in. */
export type SpecialHeader = 'If-Match' | 'Idempotency-Key';
