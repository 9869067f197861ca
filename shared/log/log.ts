import { writeSync } from 'node:fs';

/** The levels of the log, the most detailed first; `silent` is above them all. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines are written: as JSON, which CloudWatch Logs can filter, or as text for a person. */
export type LogFormat = 'json' | 'text';

export type Write = (message: string, fields: Fields) => void;

export type Fields = Readonly<Record<string, unknown>>;

/** One function for each level. Those below the log's own level are undefined, so that `log.info?.(…)` builds no fields. */
export type Log = { readonly [Level in Exclude<LogLevel, 'debug' | 'silent'>]: Write | undefined };

/** Opens the log, on standard output. Lines below the threshold are left out. */
export function openLog(threshold: LogLevel, format: LogFormat = 'json'): Log {
  const formatLine = FORMATS[format];
  const at = (level: keyof Log): Write | undefined => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return undefined;
    // As text, single attempts are shown only at the level debug.
    if (format === 'text' && level === 'warn' && threshold !== 'debug') return undefined;
    const name = level.toUpperCase();
    return (message, fields) => write(formatLine(name, message, fields));
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

const FORMATS: Readonly<Record<LogFormat, (level: string, message: string, fields: Fields) => string>> = {
  json: (level, message, fields) => `${JSON.stringify({ timestamp: timestamp(), level, message, ...fields })}\n`,
  text: (level, message, fields) => printable(forPerson(level, message, fields)),
};

function forPerson(level: string, message: string, fields: Fields): string {
  const { requestId, route = '(no route)', error, ...others } = fields;
  if (message === 'request') {
    const { method, status, duration } = others;
    // A request that failed has a line already, which says why.
    if (status === 500 || status === 503) return '';
    return `${method} ${route} ${status} ${duration} ms${Number(status) < 400 ? '' : `, requestId ${requestId}`}\n`;
  }
  const more = error ? textOf(error as Fields, message === 'unhandled exception') : JSON.stringify(others);
  return `${level} ${message}, ${requestId ? `${route}, requestId ${requestId}: ` : ''}${more}\n`;
}

/**
 * Escapes what controls a terminal or hides in it, and indents all lines after the first: parts of a message come from the
 * caller, who could otherwise forge an entry.
 */
function printable(entry: string): string {
  const indented = entry.replace(/\n(?! {4}|$)/g, '\n    ');
  return indented.replace(new RegExp(INVISIBLE, 'gu'), (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

/** A text, because V8 would look up the classes of a regular expression at every cold start: 0.3 ms, also for a log in JSON. */
const INVISIBLE = '[^\\P{Cc}\\n]|[\\p{Cf}\\p{Zl}\\p{Zp}]';

/** A bug is shown with its stack. For a failure outside, such as an unreachable table, the messages say enough. */
function textOf(error: Fields, isBug: boolean): string {
  const { name, message, stack, cause } = error as { [Member in 'name' | 'message' | 'stack']?: string } & Fields;
  const own = (isBug && stack) || message || name;
  return cause ? `${own}${isBug ? '\n' : ': '}${textOf(cause as Fields, isBug)}` : `${own}`;
}

/** process.stdout would add 1 ms to a cold start. Once something has loaded it, `writeSync` fails on a full pipe. */
function write(line: string): void {
  let written = 0;
  try {
    written = writeSync(1, line);
  } catch {
    // All of the line is still to be written.
  }
  if (written === line.length) return;
  const bytes = Buffer.from(line);
  if (written < bytes.length) process.stdout.write(bytes.subarray(written));
}

let second = 0;
let secondText = '';

/** Like toISOString, which would take 4 to 5 % of each request, so it is called only once a second. */
function timestamp(): string {
  const now = Date.now();
  const milliseconds = now % 1_000;
  if (now - milliseconds !== second) {
    second = now - milliseconds;
    secondText = new Date(second).toISOString().slice(0, -4);
  }
  return `${secondText}${String(milliseconds).padStart(3, '0')}Z`;
}

/**
 * Describes for the log whatever was thrown: an error's type, message and stack, with the lines of the source, and its
 * causes, each once; anything else as text.
 */
export async function describeError(error: unknown, seen: readonly unknown[] = []): Promise<Fields> {
  if (!(error instanceof Error)) return { message: String(error) };
  // Loaded here, because it would cost every cold start half a millisecond.
  const { namingSource } = await import('./stack.js');
  const { name, message, stack, cause } = error;
  const chain = [...seen, error];
  return {
    name,
    message,
    stack: stack && namingSource(stack),
    ...(cause === undefined || chain.includes(cause) ? {} : { cause: await describeError(cause, chain) }),
  };
}
