/** What the provider of this machine answers. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** How the developer of an app lets the provider know its origin. */
export const NAMING = 'name the origin of your app, as in CORS_ORIGINS=http://localhost:5173 npm run local -- --people';

/** Sends the browser to an app, with more parameters. */
export function redirect(uri: string, parameters: Readonly<Record<string, string>>): Answer {
  const url = new URL(uri);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { status: 303, headers: { Location: url.href } };
}

/**
 * Rejects the address of an app to which a browser would be sent.
 *
 * @param name - The parameter that has it.
 * @param uri - What it says.
 * @param origins - The origins that are admitted.
 * @returns What is wrong; undefined if the address is of one of the origins.
 */
export function rejectAddress(name: string, uri: string, origins: readonly string[]): Answer | undefined {
  const { origin } = URL.canParse(uri) ? new URL(uri) : { origin: 'null' };
  return origins.includes(origin)
    ? undefined
    : failure('invalid_request', `The ${name} is of ${origin}, which gets no tokens here: ${NAMING}`);
}

/** Makes a page for a person. Its policy lets it load nothing, and lets no other page show it. */
export function page(title: string, content: string): Answer {
  const style =
    ':root{background:Canvas;color-scheme:light dark}body{font:1.25rem/2 system-ui;margin:clamp(1rem,5vw,3rem)}';
  const body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<main>
<h1>${title}</h1>
${content}
</main>
</html>
`;
  const policy =
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy };
  return { status: 200, headers, body };
}

/** Makes an error (RFC 6749, section 5.2) that says what was wrong. */
export function failure(error: string, error_description: string): Answer {
  return json({ error, error_description }, 400);
}

export function json(body: object, status = 200): Answer {
  return { status, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}
