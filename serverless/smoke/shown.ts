import { quoted } from '../../shared/schema/quoted.js';

/**
 * Shows a value that came from outside: at most a hundred characters, in which nothing controls a terminal or hides, and no line
 * begins, because pipelines read commands at the start of a line of their log.
 */
export function shown(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return quoted(text).replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
