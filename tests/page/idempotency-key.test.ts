import { describe, expect, it } from '@jest/globals';
import { adjustKey, forgetKey, giveKey, hasOpenRequest, settle } from '../../docs/page/browser/idempotency-key.js';
import type { Outcome } from '../../docs/page/browser/request.js';
import { anOperation } from './operation.js';

/** A POST of a page. Its methods return the key that is in its field afterwards. */
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
  it('is a new one after each request whose outcome is known', () => {
    const post = aPost();
    for (const status of [201, 400, 503]) {
      const first = post.send();
      expect([first, hasOpenRequest()]).toEqual([expect.stringMatching(/^"[\da-f]{32}"$/), true]);
      expect([post.settle(status), hasOpenRequest()]).toEqual(['', false]);
      expect(post.send()).not.toBe(first);
      post.settle(201);
    }
  });

  it('stays after an attempt that may have been applied, even if a later one is rejected, until one succeeds', () => {
    const post = aPost();
    const first = post.send();
    expect(post.settle(504, true)).toBe(first);
    for (const status of [503, 401]) expect([post.send(), post.settle(status)]).toEqual([first, first]);
    expect([post.send(), post.settle(200), hasOpenRequest()]).toEqual([first, '', false]);
  });

  it('comes back with the same content, and is a new one for other content', () => {
    const post = aPost();
    const first = post.send();
    post.settle(504, true);
    expect([post.type('Accept', 'text/plain'), post.send()]).toEqual([first, first]);
    expect([post.type('item', 'b'), post.type('item', 'a'), post.type('item', 'b')]).toEqual(['', first, '']);
    expect(post.send()).not.toBe(first);
    expect([post.type('item', 'a'), hasOpenRequest()]).toEqual(['', true]);
    expect([post.settle(400), hasOpenRequest()]).toEqual(['', false]);
  });

  it('stays if somebody typed it, and the page forgets the one that it replaces', () => {
    const post = aPost();
    post.type('Idempotency-Key', 'mine');
    expect([post.send(), post.type('item', 'b'), post.settle(201)]).toEqual(['mine', 'mine', 'mine']);
    post.type('Idempotency-Key', '');
    const first = post.send();
    expect([post.type('Idempotency-Key', ''), hasOpenRequest()]).toEqual(['', false]);
    expect(post.send()).not.toBe(first);
    post.settle(201);
  });

  it('is not made for an operation without a field for it', () => {
    giveKey(anOperation('PUT', '/api/parcel/{id}', { 'body item': 'a' }));
    expect(hasOpenRequest()).toBe(false);
  });
});
