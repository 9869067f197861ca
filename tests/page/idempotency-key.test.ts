import { describe, expect, it } from '@jest/globals';
import { adjustKey, forgetKey, giveKey, hasOpenRequest, takeKey } from '../../docs/page/browser/idempotency-key.js';
import { anOperation } from './operation.js';

const aPost = () => {
  const post = anOperation('POST', '/api/parcel', {
    'body item': 'a',
    'header Idempotency-Key': '',
    'header Accept': '',
  });
  const key = post.field('Idempotency-Key');
  return {
    post,
    key,
    /** Returns the key that is sent. */
    send() {
      giveKey(post);
      return key.value;
    },
    /** Returns the key that is then in its field. */
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
    const { post, key, send } = aPost();
    const first = send();
    expect([first, hasOpenRequest()]).toEqual([expect.stringMatching(/^"[\da-f]{32}"$/), true]);
    takeKey(post);
    expect([key.value, hasOpenRequest()]).toEqual(['', false]);
    expect(send()).not.toBe(first);
    takeKey(post);
  });

  it('stays while the outcome is open, until another item is sent', () => {
    const { post, send, type } = aPost();
    const first = send();
    expect([type('Accept', 'text/plain'), send()]).toEqual([first, first]);
    expect([type('item', 'b'), type('item', 'a'), type('item', 'b')]).toEqual(['', first, '']);
    expect(send()).not.toBe(first);
    expect([type('item', 'a'), hasOpenRequest()]).toEqual(['', true]);
    takeKey(post);
  });

  it('that somebody has typed stays, and the one in its place is forgotten', () => {
    const { post, key, send, type } = aPost();
    type('Idempotency-Key', 'mine');
    expect([send(), type('item', 'b')]).toEqual(['mine', 'mine']);
    takeKey(post);
    expect(key.value).toBe('mine');
    type('Idempotency-Key', '');
    const first = send();
    expect([type('Idempotency-Key', ''), hasOpenRequest()]).toEqual(['', false]);
    expect(send()).not.toBe(first);
    takeKey(post);
  });
});

it('no other operation gets a key, or is waited for', () => {
  const put = anOperation('PUT', '/api/parcel/{id}', { 'body item': 'a' });
  giveKey(put);
  adjustKey(put);
  expect(hasOpenRequest()).toBe(false);
});
