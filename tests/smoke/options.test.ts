import { describe, expect, it } from '@jest/globals';
import { readOptions } from '../../serverless/smoke/options.js';

const read = (words: string, SMOKE_TOKEN = '') => readOptions(words.split(' '), { SMOKE_TOKEN });
const TOKEN = 'abc.def.ghi';

describe('npm run smoke takes', () => {
  it('the address of the page or of the service', () => {
    for (const end of ['', '/', '/swagger/ui', '/swagger/ui/', '/swagger'])
      expect(read(`https://example.com/live${end}`).url).toBe('https://example.com/live');
    expect(read('http://localhost:3000').url).toBe('http://localhost:3000');
    expect(read('https://example.com/swagger/ui')).toEqual({
      url: 'https://example.com',
      people: false,
      signed: false,
      origin: undefined,
      connectTo: undefined,
      anyRelease: false,
      wait: 60,
      token: undefined,
    });
  });

  it('a host to connect to, by its name or its address', () => {
    for (const host of ['d-abc123.execute-api.eu-central-1.amazonaws.com', '192.0.2.1', '2001:db8::1'])
      expect(read(`https://example.com --connect-to ${host}`).connectTo).toBe(host);
  });

  it.each([
    ['', 'It takes a URL like https://example.com/live/swagger/ui; got nothing'],
    ['https://a.example https://b.example', 'It takes one URL; got 2'],
    ['example.com', '; got example.com'],
    ['ftp://example.com', 'It takes a URL like'],
    ['https://example.com?a=1', 'It takes a URL like'],
    ['https://example.com#a', 'It takes a URL like'],
    ['https://ann@example.com', 'It takes a URL like'],
    ['https://:secret@example.com', 'It takes a URL like'],
    ['https://example.com --person', "Unknown option '--person'"],
    ['https://example.com --wait', "'--wait <value>' argument missing"],
    ['https://example.com --wait=soon', '--wait takes seconds from 0 to 9999; got soon'],
    ['https://example.com --people --signed', 'exclude each other'],
    ['https://example.com --origin example.com', '--origin takes an origin like https://example.com; got example.com'],
    ['https://example.com --connect-to https://a', '--connect-to takes the name or address of a host; got https://a'],
    ['https://example.com --connect-to=', '--connect-to takes the name or address of a host; got nothing'],
    ['https://192.0.2.1 --connect-to a', '--connect-to needs a name in the URL'],
    ['https://[2001:db8::1] --connect-to a', '--connect-to needs a name in the URL'],
  ])('not "%s", and says why', (words, reason) => {
    expect(() => read(words)).toThrow(reason);
    expect(() => read(words)).toThrow('\nUsage: npm run smoke -- URL [--people]');
  });

  it('a token from SMOKE_TOKEN alone, for https or this machine, and never prints it', () => {
    expect(read('https://example.com --people', ` ${TOKEN}\n`).token).toBe(TOKEN);
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:80'])
      expect(read(`http://${host} --people`, TOKEN).token).toBe(TOKEN);
    for (const [words, token, reason] of [
      ['http://example.com --people', TOKEN, 'https only'],
      ['http://localhost.example.com --people', TOKEN, 'https only'],
      ['https://example.com', TOKEN, 'add --people'],
      ['https://example.com --people', 'Bearer abc', 'not a bearer token'],
    ] as const) {
      expect(() => read(words, token)).toThrow(reason);
      expect(() => read(words, token)).not.toThrow(TOKEN);
    }
  });
});
