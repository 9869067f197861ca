/**
 * Chooses the form of a response: its media type by `Accept`, or its content coding by `Accept-Encoding` (RFC 9110,
 * sections 12.5.1 and 12.5.3).
 *
 * @param accept - The header's value, undefined when it was not sent.
 * @param offered - The media types or codings there are.
 * @param preferred - The one to take where it is wanted as much as another, or where nothing fits: an answer in another
 * type serves a caller better than none.
 * @returns The offered one that is wanted most.
 */
export function negotiate<Type extends string>(
  accept: string | undefined,
  offered: readonly Type[],
  preferred: Type,
): Type {
  if (accept === undefined || accept === '*/*' || accept === preferred) return preferred;
  const ranges = accept.split(',').map(parseRange);
  let best = preferred;
  for (const type of offered) if (quality(type, ranges) > quality(best, ranges)) best = type;
  return best;
}

interface MediaRange {
  readonly type: string;
  readonly quality: number;
}

function parseRange(text: string): MediaRange {
  const [type, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase()) as [string, ...string[]];
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
  const valid = /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight);
  return { type, quality: valid ? Number(weight) : 0 };
}

/** The most specific range that covers a type decides, however gladly a wider one would take it. */
function quality(type: string, ranges: readonly MediaRange[]): number {
  for (const range of [type, `${type.slice(0, type.indexOf('/'))}/*`, '*/*']) {
    const matching = ranges.filter((candidate) => candidate.type === range).map((candidate) => candidate.quality);
    if (matching.length > 0) return Math.max(...matching);
  }
  return 0;
}
