import type { Request } from './request.js';

/** Gives a command for a POSIX shell that sends a request. */
export function asCurl({ method, url, headers, body }: Request): string {
  const parts = [
    `curl --include ${method === 'GET' ? '' : `--request ${method} `}${quoted(url.href)}`,
    ...headers.map(([name, value]) => `--header ${quotedField(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

/** Gives an expression of JavaScript that sends a request. */
export function asFetch({ method, url, headers, body }: Request): string {
  const options = {
    ...(method !== 'GET' && { method }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(body !== undefined && { body }),
  };
  const second = Object.keys(options).length > 0 ? `, ${JSON.stringify(options, null, 2)}` : '';
  return `await fetch(${JSON.stringify(url.href)}${second})`;
}

/** In single quotes a shell takes everything literally, except for the quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Browsers send a header field in ISO 8859-1, but curl the bytes that it is given. */
function quotedField(text: string): string {
  if (!/[\x80-\xff]/.test(text)) return quoted(text);
  const octal = (character: string) => `\\0${character.charCodeAt(0).toString(8)}`;
  return `"$(printf %b ${quoted(text.replaceAll('\\', '\\\\').replace(/[\x80-\xff]/g, octal))})"`;
}
