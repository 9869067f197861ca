/** Halves of surrogate pairs can't be sent. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Text that can't be decoded stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
