import fs from 'node:fs';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { describeError, LOG_LEVELS, type Log, type LogLevel, openLog } from '../../../shared/log/log.js';
import { captureLog, captureOutput } from '../../support/service/log.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('the log', () => {
  it.each(LOG_LEVELS)('opened at level %s has the lines of that level and those above', (threshold) => {
    const lines = captureLog();
    const log = openLog(threshold);
    const levels = ['info', 'warn', 'error'] as const;
    for (const level of levels) log[level]?.('said', { by: level });
    const heard = levels.filter((level) => LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(threshold));
    expect(lines).toEqual(
      heard.map((by) => ({ timestamp: expect.any(String), level: by.toUpperCase(), message: 'said', by })),
    );
  });

  describe('as text', () => {
    const written: string[] = [];
    const request = {
      method: 'GET',
      route: '/api/note',
      status: 200,
      duration: 1.5,
      requestId: 'id-1',
      coldStart: true,
    };

    function open(threshold: LogLevel): Log {
      written.length = 0;
      captureOutput((text) => written.push(text));
      return openLog(threshold, 'text');
    }

    it('has a request in few words, and the id of one that was answered with a problem', () => {
      const log = open('info');
      log.info?.('request', request);
      log.info?.('request', { ...request, route: undefined, status: 404 });
      log.error?.('unknown kind of event', { received: 'null' });
      expect(written).toEqual([
        'GET /api/note 200 1.5 ms\n',
        'GET (no route) 404 1.5 ms, requestId id-1\n',
        'ERROR unknown kind of event, {"received":"null"}\n',
      ]);
    });

    it('has one line for a request whose table cannot be reached, and no stack', async () => {
      const log = open('info');
      const refused = new Error('connect ECONNREFUSED', { cause: new AggregateError([]) });
      const error = await describeError(new Error('DynamoDB could not complete Query', { cause: refused }));
      const { requestId, route } = request;
      for (let attempt = 0; attempt < 16; attempt += 1) log.warn?.('DynamoDB is called again', { requestId, error });
      log.error?.('the collection is unavailable', { requestId, route, error });
      log.info?.('request', { ...request, status: 503 });
      expect(written.join('')).toBe(
        'ERROR the collection is unavailable, /api/note, requestId id-1: DynamoDB could not complete Query: connect ECONNREFUSED: AggregateError\n',
      );
    });

    it('has the stacks of a bug and of what caused it', async () => {
      const log = open('info');
      const error = await describeError(new Error('outer', { cause: new TypeError('inner') }));
      log.error?.('unhandled exception', { requestId: 'id-1', route: '/api/note', error });
      log.info?.('request', { ...request, status: 500 });
      expect(written.join('')).toMatch(
        /^ERROR unhandled exception, \/api\/note, requestId id-1: Error: outer\n {4}at .*\nTypeError: inner\n {4}at /s,
      );
    });

    it('has each attempt at level debug', () => {
      open('debug').warn?.('DynamoDB is called again', { requestId: 'id-1', error: { message: 'timed out' } });
      expect(written).toEqual(['WARN DynamoDB is called again, (no route), requestId id-1: timed out\n']);
    });
  });
});

describe('a line of the log', () => {
  it('is written to standard output in another way where the pipe is full, or takes only the beginning', () => {
    const rest: string[] = [];
    jest.spyOn(process.stdout, 'write').mockImplementation((text) => rest.push(String(text)) > 0);
    const log = openLog('info', 'text');
    jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => {
      throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
    });
    log.info?.('request', { method: 'GET', status: 200, duration: 1 });
    jest.spyOn(fs, 'writeSync').mockImplementationOnce(() => 'ERROR é'.length + 1);
    log.error?.('é', {});
    expect(rest).toEqual(['GET (no route) 200 1 ms\n', ', {}\n']);
  });

  it('is complete in one piece where characters take several bytes', () => {
    const written: string[] = [];
    captureOutput((text) => written.push(text));
    openLog('error').error?.('é', {});
    expect(written).toEqual([expect.stringMatching(/"level":"ERROR","message":"é"\}\n$/)]);
  });
});

describe('the timestamp of a line', () => {
  it('is that of the moment, to the millisecond, in each second and the next', () => {
    const lines = captureLog();
    const log = openLog('info');
    const moments = ['2026-11-22T03:04:05.006Z', '2026-11-22T03:04:05.999Z', '2026-11-22T03:04:06.000Z'];
    moments.push('2026-11-22T03:04:06.070Z', '2026-11-22T03:04:05.500Z', '2027-01-01T00:00:00.000Z');
    for (const moment of moments) {
      jest.spyOn(Date, 'now').mockReturnValue(Date.parse(moment));
      log.info?.('said', {});
    }
    expect(lines.map(({ timestamp }) => timestamp)).toEqual(moments);
  });
});

describe('an error in the log', () => {
  it('has the causes that led to it, whatever was thrown', async () => {
    const error = new Error('outer', { cause: new TypeError('inner', { cause: 'text' }) });
    expect(await describeError(error)).toEqual({
      name: 'Error',
      message: 'outer',
      stack: expect.stringMatching(/^Error: outer\n/),
      cause: { name: 'TypeError', message: 'inner', stack: expect.any(String), cause: { message: 'text' } },
    });
    expect(await describeError(undefined)).toEqual({ message: 'undefined' });
  });

  it('has each cause once, also where causes go in a circle', async () => {
    const [inner, outer] = [new Error('inner'), new Error('outer')];
    outer.cause = inner;
    inner.cause = outer;
    expect(await describeError(outer)).toEqual({
      name: 'Error',
      message: 'outer',
      stack: expect.any(String),
      cause: { name: 'Error', message: 'inner', stack: expect.any(String) },
    });
    inner.cause = inner;
    expect(await describeError(inner)).not.toHaveProperty('cause');
  });
});
