import { describe, expect, it } from '@jest/globals';
import { attemptOf } from '../../../shared/dynamodb/reply.js';

const replied = (operation: string, status: number, text: string) =>
  attemptOf(operation, Promise.resolve({ status, text }));

describe('the reply to an attempt', () => {
  it.each([
    ['GetItem', '{}'],
    ['GetItem', '{"Item":{"key":{"S":"a"}}}'],
    ['PutItem', '{}'],
    ['Query', '{"Items":[],"Count":0}'],
  ])('to %s says that it succeeded: %s', async (operation, text) => {
    expect(await replied(operation, 200, text)).toEqual({ kind: 'succeeded', output: JSON.parse(text) });
  });

  it.each([
    ['Query', 200, '{}'],
    ['Query', 200, '{"Items":{}}'],
    ['Query', 200, 'null'],
    ['GetItem', 200, 'null'],
    ['GetItem', 200, '[]'],
    ['GetItem', 200, '{"Item":null}'],
    ['GetItem', 200, '{"Item":"a"}'],
    ['PutItem', 200, 'null'],
    ['PutItem', 200, ''],
    ['PutItem', 204, '{}'],
    ['PutItem', 302, '{}'],
    ['PutItem', 403, '<html>'],
    ['PutItem', 500, '{"__type":"ValidationException"}'],
  ])('to %s makes no sense, which is an unknown outcome: %i %s', async (operation, status, text) => {
    const { kind, error } = await replied(operation, status, text);
    expect(kind).toBe('unknown outcome');
    expect((error as Error).message).toBe(`${status} ${text}`);
  });

  it('is logged with its status and the start of its text, whatever that is', async () => {
    const { error } = await replied('GetItem', 503, `<html><title>Service Unavailable</title>${'x'.repeat(5_000)}`);
    const { message } = error as Error;
    expect(message).toMatch(/^503 <html><title>Service Unavailable/);
    expect(message).toHaveLength(1_004);
  });
});
