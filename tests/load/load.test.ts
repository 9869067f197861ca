import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from '@jest/globals';
import { type OfflineService, startOffline } from '../support/offline.js';
import { putUnderLoad } from './load.js';

const running = new Set<OfflineService>();

afterEach(async () => {
  for (const service of running) await service.stop();
  running.clear();
});

async function start(): Promise<OfflineService> {
  const service = await startOffline();
  running.add(service);
  return service;
}

it('holds 100 connections with every answer right, and comes back with its one item when it is killed', async () => {
  const service = await start();
  const { calls, faults, left } = await putUnderLoad(service, 100, 1);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  expect(left).toBe(1);

  const killed = putUnderLoad(service, 10, 30);
  setTimeout(() => service.stop('SIGKILL'), 500);
  await expect(killed).rejects.toThrow(/ECONN|hang up/);
  const next = await start();
  expect((await next.call('GET', '/api/todo')).json).toEqual([
    expect.objectContaining({ name: 'Item1', isComplete: false }),
  ]);
});

it('has no more in use after thousands of calls than before', () => {
  const options = { encoding: 'utf8', env: { ...process.env, LOAD_CALLS: '10000' } } as const;
  const printed = execFileSync(process.execPath, ['--expose-gc', 'tests/load/memory.mjs'], options);
  const [, full] = /([\d.]+) MB in use/.exec(printed) ?? [];
  const [, list = ''] = /in use over 10000 calls: (.*)/.exec(printed) ?? [];
  const [, emptied = Number.NaN, ...later] = list.split(', ').map(Number.parseFloat);
  expect(emptied).toBeLessThan(Number(full) / 5);
  expect(later).toHaveLength(8);
  expect(Math.max(...later)).toBeLessThan(emptied + 1);
});
