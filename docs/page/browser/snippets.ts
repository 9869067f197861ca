import { type Request, readRequest } from './request.js';
import { say } from './said.js';
import { AUTHORIZATION, TOKEN } from './token.js';

/** Shows the code that sends what is in the fields, if it is open. */
export function showCode(form: HTMLFormElement): void {
  const shown = form.closest('.operation')?.querySelectorAll<HTMLElement>('[open] > [data-snippet]') ?? [];
  for (const snippet of shown) snippet.textContent = snippetOf(form, snippet.dataset.snippet);
}

/** A curl command, or a call of fetch. */
export function snippetOf(form: HTMLFormElement, kind: string | undefined): string {
  const request = readRequest(form);
  return kind === 'curl' ? asCurl(request) : asFetch(request);
}

export async function copy(text: string, form: HTMLFormElement): Promise<void> {
  say('', form);
  try {
    await navigator.clipboard.writeText(text);
    say('Copied', form);
  } catch {
    say('The browser does not let the page copy: see Code.', form);
  }
}

/** For a POSIX shell. */
function asCurl({ method, url, headers, body }: Request): string {
  const parts = [
    `curl --include ${method === 'GET' ? '' : `--request ${method} `}${quoted(url.href)}`,
    ...headers.map(([name, value]) => `--header ${quotedField(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function asFetch({ method, url, headers, body }: Request): string {
  const options = {
    ...(method !== 'GET' && { method }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
  };
  const second = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : '';
  const code = `await fetch(${JSON.stringify(url.href)}${second})`;
  return HAS_TOKEN
    ? code.replace(`"${AUTHORIZATION}": ${JSON.stringify(TOKEN)}`, `"${AUTHORIZATION}": "Bearer " + token`)
    : code;
}

/** In single quotes, a shell takes everything literally except the quote itself. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Browsers send a header field in ISO 8859-1, whereas curl sends the bytes that it gets. */
function quotedField(text: string): string {
  if (HAS_TOKEN && text === `${AUTHORIZATION}: ${TOKEN}`) return `"${text}"`;
  if (!/[\x80-\xff]/.test(text)) return quoted(text);
  const octal = (character: string) => `\\0${character.charCodeAt(0).toString(8)}`;
  return `"$(printf %b ${quoted(text.replaceAll('\\', '\\\\').replace(/[\x80-\xff]/g, octal))})"`;
}
