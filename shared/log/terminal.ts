/**
 * @param level - In upper case.
 * @param detailed - Whether to show warnings, which report single attempts.
 * @returns Whole lines; nothing for an entry that tells a person nothing new.
 */
export function asText(level: string, message: string, fields: Fields, detailed: boolean): string {
  return level === 'WARN' && !detailed ? '' : printable(forPerson(level, message, fields));
}

type Fields = Readonly<Record<string, unknown>>;

function forPerson(level: string, message: string, fields: Fields): string {
  const { requestId, route = '(no route)', error, ...others } = fields;
  if (message === 'request') {
    const { method, status, duration, code, refusal = code } = others;
    // The error was logged already.
    if (status === 500 || status === 503) return '';
    return `${method} ${route} ${status} ${duration} ms${code ? `, ${refusal}, requestId ${requestId}` : ''}\n`;
  }
  const where = 'route' in fields ? `, ${route}` : '';
  const more = error ? textOf(error as Fields, message === 'unhandled exception') : JSON.stringify(others);
  return `${level} ${message}${where}${requestId ? `, requestId ${requestId}: ` : ', '}${more}\n`;
}

/**
 * Escapes control and invisible characters, and indents all lines after the first, because a caller could otherwise
 * forge an entry.
 */
function printable(entry: string): string {
  const indented = entry.replace(/\n(?! {4}|$)/g, '\n    ');
  return indented.replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

const INVISIBLE = /[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Only a bug needs its stack. */
function textOf(error: Fields, isBug: boolean): string {
  const { name, message, stack, cause } = error as { [Member in 'name' | 'message' | 'stack']?: string } & Fields;
  const own = (isBug && stack) || message || name;
  return cause ? `${own}${isBug ? '\n' : ': '}${textOf(cause as Fields, isBug)}` : `${own}`;
}
