import { describe, expect, it } from '@jest/globals';
import { adjustKey, forgetKey, giveKey, hasOpenRequest, takeKey } from '../../docs/page/browser/idempotency-key.js';
import { anOperation } from './operation.js';

const aPost = () =>
  anOperation('POST', '/api/parcel', { 'body item': 'a', 'header Idempotency-Key': '', 'header Accept': '*/*' });

/** Sends it, and returns the key that it has. */
function sendOnce(post: ReturnType<typeof aPost>): string {
  giveKey(post);
  return post.field('Idempotency-Key').value;
}

function type(post: ReturnType<typeof aPost>, name: string, value: string): string {
  post.field(name).value = value;
  adjustKey(post);
  return post.field('Idempotency-Key').value;
}

describe('the Idempotency-Key of a POST', () => {
  it('is new for each request whose outcome is known', () => {
    const post = aPost();
    const first = sendOnce(post);
    expect(first).toMatch(/^"[\da-f]{32}"$/);
    expect(hasOpenRequest()).toBe(true);
    takeKey(post);
    expect([post.field('Idempotency-Key').value, hasOpenRequest()]).toEqual(['', false]);
    expect(sendOnce(post)).not.toBe(first);
    takeKey(post);
  });

  it('stays while the outcome is open, until another item is sent', () => {
    const post = aPost();
    const first = sendOnce(post);
    expect(type(post, 'Accept', 'text/plain')).toBe(first);
    expect(sendOnce(post)).toBe(first);
    expect(type(post, 'item', 'b')).toBe('');
    expect(type(post, 'item', 'a')).toBe(first);
    expect(type(post, 'item', 'b')).toBe('');
    const second = sendOnce(post);
    expect(second).not.toBe(first);
    expect(type(post, 'item', 'a')).toBe('');
    expect(hasOpenRequest()).toBe(true);
    takeKey(post);
  });

  it('that somebody has typed stays, and another than the page gave is a request of its own', () => {
    const post = aPost();
    post.field('Idempotency-Key').value = 'mine';
    expect(sendOnce(post)).toBe('mine');
    expect(type(post, 'item', 'b')).toBe('mine');
    takeKey(post);
    expect(post.field('Idempotency-Key').value).toBe('mine');
    post.field('Idempotency-Key').value = '';
    const first = sendOnce(post);
    post.field('Idempotency-Key').value = '';
    forgetKey(post);
    expect(hasOpenRequest()).toBe(false);
    adjustKey(post);
    expect(sendOnce(post)).not.toBe(first);
    takeKey(post);
  });
});

it('no other operation gets a key, or is waited for', () => {
  const put = anOperation('PUT', '/api/parcel/{id}', { 'body item': 'a' });
  giveKey(put);
  adjustKey(put);
  expect(hasOpenRequest()).toBe(false);
});
