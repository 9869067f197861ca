import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { handler } from '../../functions/api.js';
import { startTables } from '../support/dynamodb/tables.js';
import { type Gateway, gateways } from '../support/gateways/gateways.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const copy = temporaryFolder();
const tables = startTables();
const [, diff = ''] = /^```diff\n(.*?)^```/ms.exec(readFileSync('docs/later-changes.md', 'utf8')) ?? [];

beforeAll(() => {
  for (const name of ['functions', 'shared', 'tsconfig.json']) cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  for (const [file, text] of filesWithFilter()) writeFileSync(join(copy, file), text);
});

afterAll(async () => (await tables).stop());

/** The files that the diff changes, as they are afterwards. */
function filesWithFilter(): (readonly [file: string, text: string])[] {
  return diff
    .split(/^--- .*\n\+\+\+ b\//m)
    .slice(1)
    .map((section) => {
      const [name = '', ...hunks] = section.split(/^@@\n/m);
      const file = name.trim();
      return [file, hunks.reduce(apply, readFileSync(file, 'utf8'))];
    });
}

function apply(text: string, hunk: string): string {
  const before = hunk.replace(/^\+.*\n/gm, '').replace(/^./gm, '');
  const after = hunk.replace(/^-.*\n/gm, '').replace(/^./gm, '');
  const parts = text.split(before);
  if (parts.length !== 2)
    throw new Error(`docs/later-changes.md changes lines that are not there, or more than once:\n${before}`);
  return parts.join(after);
}

/** The copy of the service, with the filter. */
function startCopy(environment: Record<string, string>) {
  const before = { ...process.env };
  Object.assign(process.env, { LOG_LEVEL: 'silent' }, environment);
  let handle: typeof handler | undefined;
  jest.isolateModules(() => {
    handle = require(join(copy, 'functions/api.ts')).handler;
  });
  process.env = before;
  return async (method: string, target: string, body?: object) => {
    const [path = '', query = ''] = target.split('?');
    const event = (gateways.at(0) as Gateway).event({ method, path, query, headers: {}, body: JSON.stringify(body) });
    const result = await handle?.(event);
    return result as { statusCode: number; headers: Record<string, string>; body: string };
  };
}

describe('the filter of docs/later-changes.md, in the wire format', () => {
  it('changes four files, and compiles', () => {
    expect(filesWithFilter()).toHaveLength(4);
    execFileSync(join('node_modules', '.bin', 'tsc'), ['--project', 'functions'], { cwd: copy });
  });

  it.each([
    ['memory', async () => ({})],
    ['a table', async () => (await tables).create()],
  ])('lists each matching item on exactly one page, in order, in %s', async (_name, environment) => {
    const call = startCopy(await environment());
    const keys: string[] = [];
    for (let number = 0; number < 30; number += 1) {
      const created = await call('POST', '/api/todo', { name: `item ${number}`, isComplete: number % 7 === 3 });
      keys.push(JSON.parse(created.body).key);
    }
    const done = keys.filter((_, number) => number % 7 === 3);
    for (const limit of ['&limit=1', '&limit=2', '&limit=4', '&limit=9', '']) {
      const found: string[] = [];
      for (let next: string | undefined = `/api/todo?isComplete=true${limit}`; next; ) {
        const { headers, body } = await call('GET', next);
        found.push(...JSON.parse(body).map(({ key }: { key: string }) => key));
        next = /<\/live(.*)>/.exec(headers.Link ?? '')?.[1];
      }
      expect(found).toEqual(done);
    }
    expect(JSON.parse((await call('GET', '/api/todo?isComplete=false')).body)).toHaveLength(26 + 1);
    expect(JSON.parse((await call('GET', '/api/todo')).body)).toHaveLength(31);
    expect((await call('GET', '/api/todo?isComplete=1')).statusCode).toBe(400);
  });
});
