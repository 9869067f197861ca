import { compressed, tagged } from '../shared/http/compressed.js';
import type { Response } from '../shared/http/message.js';
import type { SignInUrls } from '../shared/openid/sign-in-urls.js';
import { fill, ISSUER_PLACEHOLDER } from './placeholders.js';

/**
 * Names the issuer in the page, and the URLs with which it signs people in.
 *
 * @param page - As the build has made it, uncompressed: its button has no URLs, and is hidden.
 * @param urls - Where people sign in. Without them, the button stays hidden.
 * @param coding - How the page is encoded.
 * @throws Error if the build has left no place for one of them.
 */
export async function completePage(
  page: Response<200>,
  issuer: string,
  urls: SignInUrls | undefined,
  coding: 'gzip' | 'identity',
): Promise<Response<200>> {
  const button = urls ? ` data-authorize="${escaped(urls.authorize)}" data-token="${escaped(urls.token)}"` : '';
  const body = fill(page.body as string, {
    [ISSUER_PLACEHOLDER]: escaped(issuer),
    ' id="sign-in"': ` id="sign-in"${button}`,
  });
  const policy = fill(page.headers['Content-Security-Policy'] as string, {
    // The page fetches the token there, and nothing else.
    "connect-src 'self'": `connect-src 'self'${urls ? ` ${new URL(urls.token).origin}` : ''}`,
  });
  const completed = tagged({ ...page, headers: { ...page.headers, 'Content-Security-Policy': policy }, body });
  return coding === 'gzip' ? compressed(completed) : completed;
}

/** Escapes text for an attribute in double quotes, and for text between elements. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
