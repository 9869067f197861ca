import { writeSync } from 'node:fs';

/** The levels of the log, the most detailed first; `silent` is above them all. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const;

/** One of the levels. */
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How lines are written: as JSON by which CloudWatch Logs filters, or as text for a person. */
export type LogFormat = 'json' | 'text';

/** Writes one line. */
export type Write = (message: string, fields: Fields) => void;

/** What a line says besides its message. */
export type Fields = Readonly<Record<string, unknown>>;

/** One function for each level. Those below the log's own level are undefined, so that with `?.` no fields are made for them. */
export type Log = { readonly [Level in Exclude<LogLevel, 'debug' | 'silent'>]: Write | undefined };

/** Opens the log, on standard output. Lines below the threshold are left out. */
export function openLog(threshold: LogLevel, format: LogFormat = 'json'): Log {
  const formatLine = FORMATS[format];
  const at = (level: keyof Log): Write | undefined => {
    if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(threshold)) return undefined;
    // People see what became of a request, and its single attempts only at the level debug.
    if (format === 'text' && level === 'warn' && threshold !== 'debug') return undefined;
    const name = level.toUpperCase();
    return (message, fields) => write(formatLine(name, message, fields));
  };
  return { info: at('info'), warn: at('warn'), error: at('error') };
}

const FORMATS: Readonly<Record<LogFormat, (level: string, message: string, fields: Fields) => string>> = {
  json: (level, message, fields) => `${JSON.stringify({ timestamp: timestamp(), level, message, ...fields })}\n`,
  text: (level, message, { requestId, route = '(no route)', error, ...fields }) => {
    if (message === 'request') {
      const { method, status, duration } = fields;
      // A request that failed has a line already, which says why.
      if (status === 500 || status === 503) return '';
      return `${method} ${route} ${status} ${duration} ms${Number(status) < 400 ? '' : `, requestId ${requestId}`}\n`;
    }
    const more = error ? textOf(error as Fields, message === 'unhandled exception') : JSON.stringify(fields);
    return `${level} ${message}, ${requestId ? `${route}, requestId ${requestId}: ` : ''}${more}\n`;
  },
};

/** Stacks lead to a bug. Of a failure outside, such as a table that can't be reached, the messages say enough. */
function textOf(error: Fields, isBug: boolean): string {
  const { name, message, stack, cause } = error as { [Member in 'name' | 'message' | 'stack']?: string } & Fields;
  const own = (isBug && stack) || message || name;
  return cause ? `${own}${isBug ? '\n' : ': '}${textOf(cause as Fields, isBug)}` : `${own}`;
}

/** Loading process.stdout takes 1 ms of a cold start. Once something has loaded it, writing to a full pipe fails here. */
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

/** The same as toISOString, which would take 4 to 5 % of a request and is called once a second. */
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
export async function describeError(error: unknown, effects: readonly unknown[] = []): Promise<Fields> {
  if (!(error instanceof Error)) return { message: String(error) };
  // What this loads of Node.js would cost every cold start half a millisecond.
  const { namingSource } = await import('./stack.js');
  const { name, message, stack, cause } = error;
  const chain = [...effects, error];
  return {
    name,
    message,
    stack: stack && namingSource(stack),
    ...(cause === undefined || chain.includes(cause) ? {} : { cause: await describeError(cause, chain) }),
  };
}
