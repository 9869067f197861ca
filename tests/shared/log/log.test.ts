import fs, { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { transformSync } from 'esbuild';
import { describeError, type LogLevel, messageOf, openLog } from '../../../shared/log/log.js';
import { namingSource } from '../../../shared/log/stack.js';
import { captureLog, captureOutput } from '../../support/service/log.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the log', () => {
  it('has timestamps of the moment, to the millisecond, in each second and the next', () => {
    const lines = captureLog();
    const log = openLog('info');
    const seconds = ['05.006', '05.999', '06.070', '05.500'];
    const moments = seconds.map((second) => `2026-11-22T03:04:${second}Z`);
    for (const moment of moments) {
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(moment));
      log.info?.('said', {});
    }
    expect(lines.map(({ timestamp }) => timestamp)).toEqual(moments);
  });

  it('writes a line in one piece, and only the rest by process.stdout if the pipe is full or takes only the beginning', () => {
    const rest: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => rest.push(String(text)) > 0);
    const log = openLog('info');
    jest.spyOn(Date, 'now').mockReturnValue(0);
    const beginning = '{"timestamp":"1970-01-01T00:00:00.000Z","level":"ERROR","message":"é';
    jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    });
    log.error?.('é', {});
    jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => beginning.length + 1);
    log.error?.('é', {});
    expect(rest).toEqual([`${beginning}"}\n`, '"}\n']);
  });

  it('loses nothing of characters of several bytes, whatever part of them the pipe takes at first', () => {
    const sent: Buffer[] = [];
    const log = openLog('info');
    jest.spyOn(process.stdout, 'write').mockImplementation((part) => sent.push(Buffer.from(part)) > 0);
    jest.spyOn(Date, 'now').mockReturnValue(0);
    const line = `${JSON.stringify({ timestamp: '1970-01-01T00:00:00.000Z', level: 'ERROR', message: '漢字😀'.repeat(9) })}\n`;
    const bytes = Buffer.from(line);
    for (let taken = 0; taken <= bytes.length; taken += 1) {
      jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => taken);
      log.error?.('漢字😀'.repeat(9), {});
      expect(Buffer.concat([bytes.subarray(0, taken), ...sent.splice(0)]).equals(bytes)).toBe(true);
    }
  });
});

describe('the log as text', () => {
  const about = { requestId: 'id-1', route: '/api/note' };
  const request = { ...about, method: 'GET', status: 200, duration: 1.5, coldStart: true };

  function open(threshold: LogLevel = 'info') {
    const written: string[] = [];
    captureOutput((text) => written.push(text));
    const lines = async () => {
      // They are written once the code for them is loaded.
      await new Promise(setImmediate);
      return written;
    };
    return { log: openLog(threshold, 'text'), lines };
  }

  it('has a short line for a request, with the code or the reason, and its id, if it was answered with a problem', async () => {
    const { log, lines } = open('debug');
    const refused = { ...request, status: 401, code: 'invalid-token' };
    log.info?.('request', request);
    log.info?.('request', { ...request, route: undefined, status: 404, code: 'no-route' });
    log.info?.('request', { ...refused, refusal: 'The token has expired.' });
    log.warn?.('unknown kind of event', { received: 'null' });
    expect(await lines()).toEqual([
      'GET /api/note 200 1.5 ms\n',
      'GET (no route) 404 1.5 ms, no-route, requestId id-1\n',
      'GET /api/note 401 1.5 ms, The token has expired., requestId id-1\n',
      'WARN unknown kind of event, {"received":"null"}\n',
    ]);
  });

  it.each([
    ['info', ''],
    ['debug', 'WARN retrying a call to DynamoDB, requestId id-1: connect ECONNREFUSED: AggregateError\n'],
  ] as const)(
    'has one line without a stack if the table cannot be reached; at level %s, attempts are %j',
    async (level, attempt) => {
      const { log, lines } = open(level);
      const cause = new Error('connect ECONNREFUSED', { cause: new AggregateError([]) });
      log.warn?.('retrying a call to DynamoDB', { requestId: 'id-1', error: await describeError(cause) });
      const error = await describeError(new Error('DynamoDB could not complete Query', { cause }));
      log.error?.('the collection is unavailable', { ...about, error });
      log.info?.('request', { ...request, status: 503 });
      const causes = 'DynamoDB could not complete Query: connect ECONNREFUSED: AggregateError';
      const entry = `ERROR the collection is unavailable, /api/note, requestId id-1: ${causes}\n`;
      expect((await lines()).join('')).toBe(attempt + entry);
    },
  );

  it('has the stacks of a bug and of what caused it, and lets nobody forge an entry or control the terminal', async () => {
    const { log, lines } = open();
    log.info?.('request', { ...request, method: 'GET\u001b[2J\r\n\u009b\u007f\u202e\u2028PUT λ' });
    const error = new Error('planted\nGET /api/note 200 1.5 ms', { cause: new TypeError('inner') });
    log.error?.('unhandled exception', { ...about, error: await describeError(error) });
    log.info?.('request', { ...request, status: 500 });
    const [line, entry, ...others] = await lines();
    expect(line).toBe('GET\\u{1b}[2J\\u{d}\n    \\u{9b}\\u{7f}\\u{202e}\\u{2028}PUT λ /api/note 200 1.5 ms\n');
    expect(entry).toMatch(
      /^ERROR unhandled exception, \/api\/note, requestId id-1: Error: planted\n {4}GET .*\n {4}at /,
    );
    expect(entry).toMatch(/\n {4}at .*\n {4}TypeError: inner\n {4}at /);
    expect(others.join('')).toBe('');
  });
});

describe('an error in the log', () => {
  it('has each cause once, even if causes form a cycle, and may be anything that was thrown', async () => {
    const inner = new Error('inner');
    inner.cause = new Error('outer', { cause: inner });
    expect(await describeError(inner.cause)).toHaveProperty('cause', {
      name: 'Error',
      message: 'inner',
      stack: expect.any(String),
    });
    expect(await describeError(undefined)).toEqual({ message: 'undefined' });
    const without = Object.assign(new Error('x'), { stack: undefined });
    expect(await describeError(without)).toEqual({ name: 'Error', message: 'x' });
  });

  it('has the messages of several errors, as of all addresses of a host, unless they have one together', async () => {
    const refused = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}`));
    expect(messageOf(new AggregateError(refused))).toBe('connect ECONNREFUSED ::1, connect ECONNREFUSED 127.0.0.1');
    expect(messageOf(new AggregateError(refused, 'both'))).toBe('both');
    const error = new Error('outer', { cause: new AggregateError(refused) });
    expect(await describeError(error)).toMatchObject({ cause: { message: messageOf(new AggregateError(refused)) } });
  });

  it.each<[string, unknown, string]>([
    ['has no text', Object.create(null), "something that can't be described was thrown"],
    ['is a symbol', Symbol('x'), 'Symbol(x)'],
    [
      'has a stack that is none',
      Object.assign(new Error('x'), { stack: 7 }),
      "something that can't be described was thrown",
    ],
    ['has a message that JSON does not have', Object.assign(new Error('x'), { message: 7n }), '7'],
  ])('is described even if it %s', async (_what, thrown, message) => {
    const described = await describeError(thrown);
    expect(JSON.parse(JSON.stringify(described))).toMatchObject({ message });
    expect(await describeError(new Error('x', { cause: thrown }))).toMatchObject({ message: 'x', cause: { message } });
  });

  const folder = temporaryFolder();
  const frame = (name: string, position: string) =>
    `Error: x\n    at fail (${pathToFileURL(join(folder, name)).href}:${position})`;

  // A map is read once.
  beforeAll(() => {
    const source = `type Gone = never;\nif (y) {\n${'    x();\n'.repeat(12)}}`;
    const options = { loader: 'ts', sourcemap: 'external', sourcefile: '../functions/x.ts' } as const;
    writeFileSync(join(folder, 'built.mjs.map'), transformSync(source, options).map);
    writeFileSync(join(folder, 'broken.mjs.map'), '{');
  });

  it('has a stack that names the lines of the source instead of those of the built file', async () => {
    const built = frame('built.mjs', '12:1');
    const named = 'Error: x\n    at fail (functions/x.ts:13:5)';
    const error = Object.assign(new Error('x'), { stack: `${built}\n${built}` });
    expect(await describeError(error)).toHaveProperty('stack', `${named}\n${named}`);
  });

  it.each([
    ['a position that the map does not have', frame('built.mjs', '0:0')],
    ['a file without a map', frame('other.mjs', '1:1')],
    ['a file with a broken map', frame('broken.mjs', '1:1')],
    ['a URL that is no file', 'Error: x\n    at file://host/%00:1:1'],
  ])('has its stack as it is for %s', (_name, stack) => {
    expect(namingSource(stack)).toBe(stack);
  });
});
