/**
 * Chooses the media type of a response (RFC 9110, section 12.5.1).
 *
 * @param preferred - Wins a tie, and is chosen if the caller accepts none, because any response helps more than none.
 */
export function chooseType<Type extends string>(accept: string, types: readonly Type[], preferred: Type): Type {
  const ranges = parseWeights(accept);
  let best = preferred;
  for (const type of types) if (weightOfType(type, ranges) > weightOfType(best, ranges)) best = type;
  return best;
}

/**
 * Chooses the content coding of a response (RFC 9110, section 12.5.3).
 *
 * @param codings - The coding of the smallest response first, because the first wins a tie.
 * @returns `identity` if the caller accepts none, because any response helps more than none.
 */
export function chooseCoding<Coding extends string>(
  accept: string | undefined,
  codings: readonly Coding[],
): Coding | 'identity' {
  const weights = parseWeights(accept ?? '');
  let best: Coding | 'identity' = 'identity';
  let most = 0;
  for (const coding of codings) {
    const weight = weights.get(coding) ?? weights.get('*') ?? 0;
    if (weight > most) [best, most] = [coding, weight];
  }
  return best;
}

/** Parses `Accept` or `Accept-Encoding`: the weight of each name, from 0 to 1. A malformed weight counts as 0. */
function parseWeights(list: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const element of list.toLowerCase().split(',')) {
    const [name, ...parameters] = element.split(';').map((part) => part.trim()) as [string, ...string[]];
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(name, Math.max(weight ? readWeight(weight.slice(2)) : 1, weights.get(name) ?? 0));
  }
  return weights;
}

function readWeight(weight: string): number {
  return /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0;
}

/** The most specific range decides, even if a wider one has a higher weight. */
function weightOfType(type: string, ranges: ReadonlyMap<string, number>): number {
  return ranges.get(type) ?? ranges.get(`${type.slice(0, type.indexOf('/'))}/*`) ?? ranges.get('*/*') ?? 0;
}
