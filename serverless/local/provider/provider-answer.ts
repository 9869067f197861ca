/** What the provider of this machine answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the developer of an app can do whose origin is not known here. */
export const NAMING = 'name the origin of your app, as in CORS_ORIGINS=http://localhost:5173 npm run local -- --people';

/** Makes an error (RFC 6749, section 5.2) that says what was wrong. */
export function failure(error: string, error_description: string): Answer {
  return json({ error, error_description }, 400);
}

export function json(body: object, status = 200): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
