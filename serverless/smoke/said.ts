// The sentences that the command prints. Text from outside never gets into them as it is.

/** A check that failed, as a sentence. */
export class Fault extends Error {}

export class Interrupted extends Fault {}

/** A check that does not fit the stage, as the reason. */
export class NotTried extends Error {}

/** @throws Fault with the sentence unless it is so. */
export function expectThat(isSo: boolean, sentence: string): asserts isSo {
  if (!isSo) throw new Fault(sentence);
}

/**
 * Makes a value from outside safe to print: at most a hundred characters, without control or invisible ones, and
 * without line breaks, because pipelines read commands at the start of a line of their log.
 */
export function shown(value: unknown): string {
  if (value === undefined || value === null || value === '') return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const signs = Array.from(text);
  const short = signs.length > LONGEST ? `${signs.slice(0, LONGEST).join('')}…` : text;
  return short.replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}

const LONGEST = 100;
const INVISIBLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/**
 * A piece of a token with so many characters is hidden, because an answer may have cut off the beginning or the end.
 */
const PIECE = 16;

/** Replaces a token, whole or in pieces, by `(token)`. */
export function hideToken(token: string | undefined, text: string): string {
  if (!token) return text;
  const size = Math.min(PIECE, token.length);
  const pieces = new Set(Array.from({ length: token.length - size + 1 }, (_, at) => token.slice(at, at + size)));
  let hidden = '';
  for (let at = 0; at < text.length; ) {
    let end = at;
    while (pieces.has(text.slice(end, end + size))) end += 1;
    if (end === at) {
      hidden += text[at];
      at += 1;
    } else {
      hidden += '(token)';
      at = end + size - 1;
    }
  }
  return hidden;
}
