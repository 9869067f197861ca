import fs, { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { transformSync } from 'esbuild';
import { describeError, messageOf, openLog } from '../../../shared/log/log.js';
import { namingSource } from '../../../shared/log/stack.js';
import { captureLog } from '../../support/service/log.js';
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

  // A map is read once.
  beforeAll(() => {
    const source = `type Gone = never;\nif (y) {\n${'    x();\n'.repeat(12)}}`;
    const options = { loader: 'ts', sourcemap: 'external', sourcefile: '../functions/x.ts' } as const;
    writeFileSync(join(folder, 'built.cjs.map'), transformSync(source, options).map);
    writeFileSync(join(folder, 'broken.cjs.map'), '{');
  });

  it.each([
    ['of the source', 'built.cjs:12:1', 'functions/x.ts:13:5'],
    ['of the built file, if its map lacks them', 'built.cjs:0:0', 'built.cjs:0:0'],
    ['of a file without a map', 'other.cjs:1:1', 'other.cjs:1:1'],
    ['of a file with a broken map', 'broken.cjs:1:1', 'broken.cjs:1:1'],
  ])('has a stack with the lines %s', (_what, built, named) => {
    const stack = (position: string) => `Error: x\n    at fail (${position})\n    at ${position}\n    at node:fs:1:1`;
    expect(namingSource(stack(`${folder}/${built}`), folder)).toBe(stack(named));
  });
});
