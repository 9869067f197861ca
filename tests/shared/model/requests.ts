import fc from 'fast-check';
import { PARCELS } from '../../support/service/parcels.js';
import { type Asked, type Model, tagsOf, type Versions } from './model.js';

/** A request before it is known which items there are. */
export interface RequestSketch {
  readonly method: string;
  /** The item: the index of one that is there, an id that none has, or undefined for the list. */
  readonly target: number | string | undefined;
  /** The most items a page of the list may have, undefined to list all at once. */
  readonly limit: number | undefined;
  /** Whether the id is in capitals. */
  readonly shouted: boolean;
  readonly type: string | undefined;
  readonly accept: string | undefined;
  /** The members, or a text that is sent instead of an object. */
  readonly body: Readonly<Record<string, unknown>> | string | undefined;
  /** The key in the body: the item's own, in capitals or not, or one that is among the members. */
  readonly bodyKey: 'own' | 'shouted' | 'as sent';
  /** How far the named versions are from the item's own. */
  readonly ifMatch: Versions;
  readonly ifNoneMatch: Versions;
}

const SPACES = [' ', '\t', '\n', '\u00a0', '\u2003', '\u3000', '\ufeff'];
const ODD_TEXTS = ['"', '\\', '\u0000', '\ud800', 'a\udfff', '</script>', '\u2028', '__proto__'];

/** Texts as callers choose them, most of them valid. */
const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 12 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...SPACES) }) },
  { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
);

const wrongValue = fc.constantFrom(null, 0, 1, '', 'true', [], {}, [true], 1e308);

const members = fc
  .tuple(
    fc.oneof({ weight: 8, arbitrary: text }, { weight: 1, arbitrary: wrongValue }),
    fc.oneof({ weight: 8, arbitrary: fc.boolean() }, { weight: 2, arbitrary: wrongValue }),
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

const NO_OBJECTS = ['', ' \n', 'null', '[]', '5', 'true', '"text"', '{', '{"label":}', '{"label":"x"}}', 'label=x'];

const versions = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: fc.constantFrom('*' as const, 'malformed' as const, [0], [0, 1], [-1], [7, 0], []) },
);

const JSON_TYPES = ['application/json', 'text/json; charset=utf-8', 'APPLICATION/X+JSON', 'text/x+json'];

const NO_KEYS = ['nobody', '00000000-0000-4000-8000-000000000000', ' ', 'é', '__proto__'];

/** Any request to the six operations, more often a valid one. */
export const anyRequest: fc.Arbitrary<RequestSketch> = fc
  .record({
    method: fc.constantFrom('GET', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE'),
    target: fc.oneof({ weight: 8, arbitrary: fc.nat(5) }, { weight: 1, arbitrary: fc.constantFrom(...NO_KEYS) }),
    list: fc.boolean(),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
    shouted: fc.boolean(),
    type: fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...JSON_TYPES, undefined) },
      { weight: 1, arbitrary: fc.constantFrom('text/plain', 'application/x-www-form-urlencoded', 'application/jsonx') },
    ),
    accept: fc.constantFrom(undefined, '*/*', 'text/plain', 'application/json', 'text/json;q=0.5', 'image/png'),
    body: fc.oneof(
      { weight: 8, arbitrary: members },
      { weight: 1, arbitrary: fc.constantFrom(...NO_OBJECTS) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    ),
    bodyKey: fc.constantFrom('own' as const, 'own' as const, 'shouted' as const, 'as sent' as const),
    ifMatch: versions,
    ifNoneMatch: versions,
  })
  .map(({ list, ...rest }) => ({
    ...rest,
    target: rest.method === 'POST' || (rest.method === 'GET' && list) ? undefined : rest.target,
  }));

/** Turns a sketch into a request in the model's terms and as it is sent, now that it is known which items there are. */
export function requestOf(sketch: RequestSketch, { items }: Model) {
  const { method, target, limit, shouted, type, accept, body, bodyKey, ifMatch, ifNoneMatch } = sketch;
  const item = typeof target === 'number' ? items[target % Math.max(1, items.length)] : undefined;
  const key = typeof target === 'number' ? (item?.key ?? 'nobody') : target;
  const own = bodyKey === 'shouted' ? key?.toUpperCase() : key;
  const withKey = typeof body === 'object' && bodyKey !== 'as sent' && key !== undefined ? { ...body, key: own } : body;
  const near = (versions: Versions): Versions =>
    Array.isArray(versions) ? versions.map((distance) => Math.max(1, (item?.version ?? 1) + distance)) : versions;
  const asked: Asked = {
    method,
    key,
    type,
    body: typeof withKey === 'object' ? JSON.stringify(withKey) : withKey,
    ifMatch: near(ifMatch),
    ifNoneMatch: near(ifNoneMatch),
  };
  const id = key && (shouted ? key.toUpperCase() : key);
  const query = method === 'GET' && limit ? `?limit=${limit}` : '';
  const headers: Record<string, string> = {
    ...(type && { 'Content-Type': type }),
    ...(accept && { Accept: accept }),
    ...(asked.ifMatch && { 'If-Match': tagsOf(asked.ifMatch) }),
    ...(asked.ifNoneMatch && { 'If-None-Match': tagsOf(asked.ifNoneMatch) }),
  };
  return { asked, path: `${PARCELS}${id === undefined ? query : `/${encodeURIComponent(id)}`}`, headers };
}
