import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { LARGEST_CONTENT } from '../../shared/gateway/gateway.js';
import { startOffline } from '../support/offline.js';
import { putUnderLoad } from './load.js';

const memorySize = Number(/memorySize: (\d+)/.exec(readFileSync('serverless.yml', 'utf8'))?.[1]);

it('holds 100 connections with every answer right, and comes back with its one item when it is killed', async () => {
  const service = await startOffline();
  const { calls, faults, left } = await putUnderLoad(service, 100, 3);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  expect(left).toBe(1);

  const killed = putUnderLoad(service, 10, 30);
  setTimeout(() => service.stop('SIGKILL'), 500);
  await expect(killed).rejects.toThrow(/ECONN|hang up/);
  const next = await startOffline();
  expect((await next.call('GET', '/api/todo')).json).toEqual([
    expect.objectContaining({ name: 'Item1', isComplete: false }),
  ]);
  await next.stop();
}, 60_000);

it('takes less than two thirds of the memory that the function has, when the list is full', () => {
  const options = { encoding: 'utf8', env: { ...process.env, LOAD_CALLS: '10000' } } as const;
  const printed = execFileSync('node', ['--expose-gc', 'tests/load/memory.mjs'], options);
  const [, bytes] = /a list of (\d+) bytes/.exec(printed) ?? [];
  const [, megabytes] = /([\d.]+) MB of memory at most/.exec(printed) ?? [];
  expect(Number(bytes)).toBeGreaterThan(LARGEST_CONTENT - 100);
  expect(Number(megabytes)).toBeLessThan((2 / 3) * memorySize);
}, 60_000);
