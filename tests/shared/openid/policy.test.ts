import { describe, expect, it } from '@jest/globals';
import { missingScope, ownerOf } from '../../../shared/openid/policy.js';
import { partitionsOf } from '../../../shared/store/partition.js';

const POLICY = { issuer: 'https://login.example.com', audience: 'items' };

describe('the scopes of a token (rule 37)', () => {
  const needing = { ...POLICY, readScope: 'items/read', writeScope: 'items/write' };

  it.each<[Record<string, unknown>]>([
    [{ scope: 'items/read' }],
    [{ scope: 'openid items/read email' }],
    [{ scope: ['openid', 'items/read'] }],
    [{ scp: 'items/read' }],
    [{ scp: ['openid', 'items/read'] }],
    [{ scp: ['openid items/read'] }],
    [{ scope: 'openid', scp: 'items/read' }],
    [{ scope: ['items/read'], scp: 7 }],
  ])('are the words of scope and scp: %j has the one for reading', (claims) => {
    for (const method of ['GET', 'HEAD']) expect(missingScope(claims, method, needing)).toBeUndefined();
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'])
      expect(missingScope(claims, method, needing)).toBe('items/write');
  });

  it.each<[Record<string, unknown>]>([
    [{}],
    [{ scope: '' }],
    [{ scope: 'items/readers' }],
    [{ scope: 'my-items/read' }],
    [{ scope: 'ITEMS/READ' }],
    [{ scope: 'items/ read' }],
    [{ scope: 'items/read\n' }],
    [{ scope: 'openid,items/read' }],
    [{ scope: 'openid\titems/read' }],
    [{ scope: [['items/read']] }],
    [{ scope: { 'items/read': true } }],
    [{ scp: null, scope: 7 }],
    [{ scopes: 'items/read', roles: ['items/read'], permissions: ['items/read'] }],
  ])('are whole words, letter by letter: %j lacks the one for reading', (claims) => {
    for (const method of ['GET', 'HEAD']) expect(missingScope(claims, method, needing)).toBe('items/read');
  });

  it('do not include each other: who may write may not read', () => {
    expect(missingScope({ scope: 'items/write' }, 'DELETE', needing)).toBeUndefined();
    expect(missingScope({ scope: 'items/write' }, 'GET', needing)).toBe('items/read');
  });

  it('make no difference where none is asked for', () => {
    for (const method of ['GET', 'DELETE']) expect(missingScope({}, method, POLICY)).toBeUndefined();
    expect(missingScope({}, 'GET', { ...POLICY, writeScope: 'items/write' })).toBeUndefined();
  });
});

describe('the items of a caller (rule 35)', () => {
  const claims = {
    sub: 'ada',
    org_id: 'blue',
    'https://example.com/team': 'red',
    groups: ['blue'],
    level: 7,
    all: 'x',
  };
  const ownedBy = (listBy?: string) => ownerOf('ada', claims, { ...POLICY, listBy });

  it('are those of the subject, unless a claim is named', () => {
    for (const listBy of [undefined, 'sub']) expect(ownedBy(listBy)).toEqual({ owner: `${POLICY.issuer} ada` });
  });

  it('are those of all who have the same value in the claim that is named', () => {
    expect(ownedBy('org_id')).toEqual({ owner: `claim org_id ${POLICY.issuer} blue` });
    const team = 'https://example.com/team';
    expect(ownedBy(team)).toEqual({ owner: `claim ${team} ${POLICY.issuer} red` });
  });

  it("are everybody's, if all share one list", () => {
    expect(ownedBy('all')).toEqual({ owner: undefined });
  });

  it.each(['groups', 'level', 'ORG_ID', 'org', 'toString', '__proto__'])(
    'do not exist where %s is no text',
    (listBy) => {
      expect(ownedBy(listBy)).toBe('no-list');
    },
  );

  it.each<[string, string, boolean]>([
    ['empty', '', false],
    ['of one character', ' ', true],
    ['of 255 characters', 'é'.repeat(255), true],
    ['of 256 characters', 'é'.repeat(256), false],
    ['with a whole surrogate pair', 'a\u{1f642}', true],
    ['with half a surrogate pair, which UTF-8 has not', 'a\ud83d', false],
  ])('are named by text %s: %j, %p', (_what, org_id, isName) => {
    const owner = ownerOf('ada', { org_id }, { ...POLICY, listBy: 'org_id' });
    expect(owner).toEqual(isName ? { owner: `claim org_id ${POLICY.issuer} ${org_id}` } : 'no-list');
  });

  it('have partition keys of at most 1,561 bytes, of the 2,048 that DynamoDB takes', () => {
    const issuer = `https://${'i'.repeat(504)}`;
    const [listBy, value] = ['c'.repeat(255), '\u4e2d'.repeat(255)];
    const longest = ownerOf(value, { [listBy]: value }, { ...POLICY, issuer, listBy });
    if (longest === 'no-list') throw new Error(longest);
    for (const partition of Object.values(partitionsOf('todo', longest.owner)))
      expect(Buffer.byteLength(partition)).toBeLessThanOrEqual(1_561);
  });
});
