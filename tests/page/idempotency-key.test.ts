import { describe, expect, it } from '@jest/globals';
import { adjustKey, forgetKey, giveKey, hasOpenRequest, settle } from '../../docs/page/browser/idempotency-key.js';
import type { Outcome } from '../../docs/page/browser/request.js';
import { anOperation } from './operation.js';

/** A POST, whose methods return the key that is then sent, or that is in its field. */
const aPost = () => {
  const fields = { 'body item': 'a', 'header Idempotency-Key': '', 'header Accept': '' };
  const post = anOperation('POST', '/api/parcel', fields);
  const key = post.field('Idempotency-Key');
  return {
    send() {
      giveKey(post);
      return key.value;
    },
    settle(status: number, isMaybeApplied = false) {
      settle(post, { response: new Response('', { status }), isMaybeApplied } as Outcome);
      return key.value;
    },
    type(name: string, value: string) {
      post.field(name).value = value;
      if (name === 'Idempotency-Key') forgetKey(post);
      adjustKey(post);
      return key.value;
    },
  };
};

describe('the Idempotency-Key of a POST', () => {
  it('is new for each request whose outcome is known', () => {
    const post = aPost();
    for (const status of [201, 400, 503]) {
      const first = post.send();
      expect([first, hasOpenRequest()]).toEqual([expect.stringMatching(/^"[\da-f]{32}"$/), true]);
      expect([post.settle(status), hasOpenRequest()]).toEqual(['', false]);
      expect(post.send()).not.toBe(first);
      post.settle(201);
    }
  });

  it('stays while an attempt may have been applied, whatever rejects another one, until one succeeds', () => {
    const post = aPost();
    const first = post.send();
    expect(post.settle(504, true)).toBe(first);
    for (const status of [503, 401]) expect([post.send(), post.settle(status)]).toEqual([first, first]);
    expect([post.send(), post.settle(200), hasOpenRequest()]).toEqual([first, '', false]);
  });

  it('stays for the same item, and is another one for another item', () => {
    const post = aPost();
    const first = post.send();
    post.settle(504, true);
    expect([post.type('Accept', 'text/plain'), post.send()]).toEqual([first, first]);
    expect([post.type('item', 'b'), post.type('item', 'a'), post.type('item', 'b')]).toEqual(['', first, '']);
    expect(post.send()).not.toBe(first);
    expect([post.type('item', 'a'), hasOpenRequest()]).toEqual(['', true]);
    expect([post.settle(400), hasOpenRequest()]).toEqual(['', false]);
  });

  it('that somebody has typed stays, and the one in its place is forgotten', () => {
    const post = aPost();
    post.type('Idempotency-Key', 'mine');
    expect([post.send(), post.type('item', 'b'), post.settle(201)]).toEqual(['mine', 'mine', 'mine']);
    post.type('Idempotency-Key', '');
    const first = post.send();
    expect([post.type('Idempotency-Key', ''), hasOpenRequest()]).toEqual(['', false]);
    expect(post.send()).not.toBe(first);
    post.settle(201);
  });

  it('is of no other operation, and nothing waits for that', () => {
    giveKey(anOperation('PUT', '/api/parcel/{id}', { 'body item': 'a' }));
    expect(hasOpenRequest()).toBe(false);
  });
});
