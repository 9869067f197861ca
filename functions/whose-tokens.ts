import type { Response } from '../shared/http/message.js';
import { ISSUER_PLACEHOLDER } from '../shared/openid/issuer.js';
import type { SignInUrls } from '../shared/openid/sign-in-urls.js';

/** What only a stage knows about sign-in. */
export interface WhoseTokens {
  /** Whose tokens callers need, in characters of RFC 3986: none has to be escaped in JSON or in an entity tag. */
  readonly issuer: string;
  /** Where the page signs people in; undefined if it does not, or if that is not known. */
  signInUrls(): Promise<SignInUrls | undefined>;
}

/** Names the issuer in a document. */
export function nameIssuer({ headers, body, ...response }: Response<200>, issuer: string): Response<200> {
  const ETag = `${(headers.ETag as string).slice(0, -1)}${issuer}"`;
  const named = (body as string).replaceAll(ISSUER_PLACEHOLDER, () => issuer);
  return { ...response, headers: { ...headers, ETag }, body: named };
}

/**
 * Names the issuer in the page, and the URLs with which it signs people in.
 *
 * @param page - As the build has made it, uncompressed: its button has no URLs, and is hidden.
 * @param urls - Where people sign in. Without them, the button stays hidden.
 * @param coding - How the page is encoded.
 */
export async function completePage(
  page: Response<200>,
  issuer: string,
  urls: SignInUrls | undefined,
  coding: 'gzip' | 'identity',
): Promise<Response<200>> {
  // Nothing else needs them at a cold start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const { gzipSync } = process.getBuiltinModule('node:zlib');
  const button = urls ? ` data-authorize="${escaped(urls.authorize)}" data-token="${escaped(urls.token)}"` : '';
  const html = (page.body as string)
    .replaceAll(ISSUER_PLACEHOLDER, () => escaped(issuer))
    .replace(' id="sign-in"', (id) => id + button);
  const { 'Content-Security-Policy': policy, ...others } = page.headers;
  const headers = {
    ...others,
    // The page fetches the token there, and nothing else.
    'Content-Security-Policy': (policy as string).replace(
      "connect-src 'self'",
      (own) => own + (urls ? ` ${new URL(urls.token).origin}` : ''),
    ),
    ETag: `"${createHash('sha256').update(`${coding} ${html}`).digest('base64url').slice(0, 27)}"`,
  };
  if (coding === 'identity') return { ...page, headers, body: html };
  const body = gzipSync(html, { level: 9, memLevel: 6 }).toString('base64');
  return { ...page, headers: { ...headers, 'Content-Encoding': coding }, body, isBase64Encoded: true };
}

/** Escapes text for an attribute in double quotes, and for text between elements. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
