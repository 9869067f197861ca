import { describe, expect, it } from '@jest/globals';
import { problemResponse } from '../../../shared/http/problem.js';
import { type Call, isRoute, route } from '../../../shared/routing/route.js';
import { findParcel, parcel, parcels } from '../../support/service/parcels.js';

it.each([null, undefined, 'template', () => {}, { properties: {} }])('%p is not a route', (exported) => {
  expect(isRoute(exported)).toBe(false);
  expect(isRoute(findParcel)).toBe(true);
});

describe('a declaration fails the type check when the operation', () => {
  const get = { method: 'GET', template: '/a', answers: { 200: {} } } as const;
  const post = { ...get, method: 'POST', resource: parcels, body: { schema: parcel } } as const;
  const answer = (...values: unknown[]) => ({ status: 200, headers: {}, body: values.join() }) as const;

  it('answers a status that it does not declare', () => {
    const fail = async ({ request }: Pick<Call, 'request'>) => problemResponse(request, 'If-Match failed');
    route({ ...get, answers: { 200: {}, 412: {} }, run: fail });
    // @ts-expect-error 412 is not declared
    route({ ...get, run: fail });
  });

  it('reads a path parameter or query parameter that it does not have, or as another type', () => {
    const size = { type: 'string', enum: ['A4', 'A5'], default: 'A4' } as const;
    route({
      ...get,
      template: '/a/{id=1}/{number:int}/{other?}/{*rest}',
      query: { open: { type: 'boolean' }, size },
      run: async ({ parameters: { id, number, other, rest, ...more }, query }) => {
        const always: readonly [string, string, 'A4' | 'A5'] = [id, number, query.size];
        const optional: readonly (string | boolean | undefined)[] = [other, rest, query.open];
        // @ts-expect-error it may not have been sent
        const open: boolean = query.open;
        // @ts-expect-error there is no query parameter of this name
        const before = query.before;
        // @ts-expect-error the template has no parameter of this name
        return answer(always, optional, open, before, more.key);
      },
    });
  });

  it('reads a member that the body or an item does not have, or as another type, or uses items without a resource', () => {
    route({
      ...post,
      run: async ({ members, items }) => {
        const right: readonly [string, 'letter' | 'express'] = [members.label, members.service];
        // @ts-expect-error an integer is no boolean
        const found: boolean | undefined = (await items.find('1'))?.item.pieces;
        // @ts-expect-error it may be null
        const note: string = members.note;
        // @ts-expect-error the service assigns it
        const key = members.key;
        // @ts-expect-error a whole item has all members that a client sets
        return answer(right, found, note, key, await items.create({ label: 'a', fragile: false }));
      },
    });
    // @ts-expect-error a patch may leave it out
    route({ ...post, body: { schema: parcel, patch: true }, run: async ({ members }) => answer(members.label.trim()) });
    // @ts-expect-error it has no resource, and so no items
    route({ ...get, run: async ({ items }) => answer(await items.list({})) });
    // @ts-expect-error it takes no body
    route({ ...get, run: async ({ members }) => answer(members.label) });
  });
});
