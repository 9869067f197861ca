import { compressed, tagged } from '../shared/http/compressed.js';
import type { Response } from '../shared/http/message.js';
import type { SignInUrls } from '../shared/openid/sign-in-urls.js';
import { fill, ISSUER_PLACEHOLDER } from './placeholders.js';

/**
 * Puts the issuer and the sign-in URLs into the page.
 *
 * @param page - As built, uncompressed.
 * @param urls - Undefined keeps the button hidden.
 * @throws Error if a placeholder is missing.
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
    // The page may fetch the token there, and nothing else.
    "connect-src 'self'": `connect-src 'self'${urls ? ` ${new URL(urls.token).origin}` : ''}`,
  });
  const completed = tagged({ ...page, headers: { ...page.headers, 'Content-Security-Policy': policy }, body });
  return coding === 'gzip' ? compressed(completed) : completed;
}

/** For an attribute in double quotes, or between elements. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
