import fc from 'fast-check';
import { PARCELS } from '../support/service/parcels.js';
import { anyCharacter } from './inputs.js';
import { type Asked, type Model, tagsOf, type Versions } from './model.js';

/** Mostly the first, and each of the others now and then. */
function mostly<Usual, Rare = Usual>(usual: fc.Arbitrary<Usual>, ...rare: fc.Arbitrary<Rare>[]) {
  const others = rare.map((arbitrary) => ({ weight: 1, arbitrary }));
  return fc.oneof({ weight: 8, arbitrary: usual }, ...others) as fc.Arbitrary<Usual | Rare>;
}

/** Texts as callers choose them, most of them valid. */
const text = mostly(
  fc.string({ unit: anyCharacter, minLength: 1, maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff') }),
  fc.constantFrom('"', '\\', '\u0000', '\ud800', 'a\udfff', '</script>', '\u2028', '__proto__'),
);

const wrongValue = fc.constantFrom(null, 0, 1, '', 'true', [], {}, [true], 1e308);

const members = fc
  .tuple(
    mostly<unknown>(text, wrongValue),
    mostly<unknown>(fc.boolean(), wrongValue, wrongValue),
    fc.subarray(['fragile', 'other']),
    fc.constantFrom('label', 'label', 'label', 'label', 'Label', 'LABEL', undefined),
    fc.constantFrom('fragile', 'fragile', 'Fragile', 'FRAGILE'),
    fc.dictionary(fc.constantFrom('key', 'Key', 'Label', 'FRAGILE', '__proto__', 'constructor'), fc.jsonValue(), {
      maxKeys: 2,
    }),
  )
  .map(([label, fragile, there, labelKey, fragileKey, more]) => ({
    ...(there.includes('other') ? more : {}),
    ...(labelKey === undefined ? {} : { [labelKey]: label }),
    ...(there.includes('fragile') ? { [fragileKey]: fragile } : {}),
  }));

/** Bodies that no sensible client sends. */
const oddBody = fc.constantFrom(
  ...['', ' \n', 'null', '[]', '5', 'true', '"text"', '{', '{"label":}', '{"label":"x"}}', 'label=x', "{'label':'x'}"],
  ...['\ufeff{"label":"x"}', '\ufeff\ufeff{"label":"x"}', '{"label":"\\ud800"}', '{"label":"x\ty"}', '{"label":"x",}'],
  ...['{"label":"x","fragile":true,"fragile":1}', '{"__proto__":{"label":"x"}}', '{"label":"x","key":1e999}', 'NaN'],
  `{"label":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
  `{"label":"x","deep":${'{"a":'.repeat(1e5)}1${'}'.repeat(1e5)}}`,
  `{${'"label":"x",'.repeat(1e5)}"label":"y"}`,
  `{"label":"x","other":${'9'.repeat(1e5)}}`,
);

/** A valid body in which some characters were removed or put in. */
const editedBody = fc
  .tuple(fc.json(), fc.array(fc.tuple(fc.nat(), fc.nat(1), fc.string({ unit: anyCharacter, maxLength: 3 }))))
  .map(([json, edits]) => {
    const characters = Array.from(`{"label":"x","other":${json}}`);
    for (const [position, removed, added] of edits) characters.splice(position % characters.length, removed, added);
    return characters.join('');
  });

/** How far the versions that a field names are from the item's own. */
const versions = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom<Versions[]>('*', 'malformed', [0], [0, 1], [-1], [7, 0], []) },
);

/** Any request to the six operations, more often a valid one, before it is known which items there are. */
export const anyRequest = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
    /** The index of an item that is there, or an id that none has. */
    target: mostly<number | string>(
      fc.nat(5),
      fc.constantFrom('nobody', '00000000-0000-4000-8000-000000000000', ' ', 'é', '__proto__', 'constructor'),
    ),
    list: fc.boolean(),
    /** Only the items with this value are listed. */
    fragile: fc.option(fc.boolean(), { nil: undefined }),
    /** The most items a page of the list may have. */
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    /** Whether the id is in capitals. */
    shouted: fc.boolean(),
    type: mostly(
      fc.constantFrom('application/json', 'text/json; charset=utf-8', 'APPLICATION/X+JSON', 'text/x+json', undefined),
      fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/jsonx'),
    ),
    accept: fc.constantFrom(undefined, '*/*', 'text/plain', 'application/json', 'text/json;q=0.5', 'image/png'),
    body: mostly<object | string | undefined>(members, oddBody, editedBody, fc.constant(undefined)),
    /** The key in the body: the item's own, in capitals or not, or one that is among the members. */
    bodyKey: fc.constantFrom('own', 'own', 'shouted', 'as sent'),
    ifMatch: versions,
    ifNoneMatch: versions,
  })
  .map(({ method, target, list, ...rest }) => {
    const isList = method === 'POST' || (method === 'GET' && list);
    return { method, target: isList ? undefined : target, ...rest };
  });

export type RequestSketch = ReturnType<typeof anyRequest.generate>['value'];

/**
 * Turns a sketch into a request in the model's terms and as it is sent, now that it is known which items there are.
 *
 * @param tags - Of a list: its entity tag as it is now, and others that it has had, without quotes.
 */
export function requestOf(sketch: RequestSketch, { items }: Model, tags: readonly string[] = []) {
  const { method, target, fragile, limit, shouted, type, accept, body, bodyKey } = sketch;
  const item = typeof target === 'number' ? items[target % Math.max(1, items.length)] : undefined;
  const key = typeof target === 'number' ? (item?.key ?? 'nobody') : target;
  const own = bodyKey === 'shouted' ? key?.toUpperCase() : key;
  const withKey = typeof body === 'object' && bodyKey !== 'as sent' && key !== undefined ? { ...body, key: own } : body;
  const isList = method === 'GET' && target === undefined;
  const at = (distance: number) => (isList ? (tags[Math.abs(distance)] ?? 'none') : near(item, distance));
  const named = (versions: Versions): Versions => (Array.isArray(versions) ? versions.map(at) : versions);
  const [ifMatch, ifNoneMatch] = [named(sketch.ifMatch), named(sketch.ifNoneMatch)];
  const sent = typeof withKey === 'object' ? JSON.stringify(withKey) : withKey;
  const asked: Asked = { method, key, fragile, tag: tags[0], type, body: sent, ifMatch, ifNoneMatch };
  const id = key && (shouted ? key.toUpperCase() : key);
  const parameters = isList ? Object.entries({ fragile, limit }).filter(([, value]) => value !== undefined) : [];
  const query = parameters.map(([name, value], index) => `${index === 0 ? '?' : '&'}${name}=${value}`).join('');
  const headers: Record<string, string> = {
    ...(type && { 'Content-Type': type }),
    ...(accept && { Accept: accept }),
    ...(ifMatch && { 'If-Match': tagsOf(ifMatch) }),
    ...(ifNoneMatch && { 'If-None-Match': tagsOf(ifNoneMatch) }),
  };
  return { asked, path: `${PARCELS}${id === undefined ? query : `/${encodeURIComponent(id)}`}`, headers };
}

/** The version that is so far from an item's own. */
function near(item: { readonly version: number } | undefined, distance: number): number {
  return Math.max(1, (item?.version ?? 1) + distance);
}
