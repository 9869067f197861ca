import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { LARGEST_BODY } from '../../shared/gateway/gateway.js';
import { type OfflineService, startOffline } from '../support/offline.js';
import { putUnderLoad } from './load.js';

const memorySize = Number(/memorySize: (\d+)/.exec(readFileSync('serverless.yml', 'utf8'))?.[1]);

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
  const { calls, faults, left } = await putUnderLoad(service, 100, 3);
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

it('takes less than three quarters of the memory that the function has, when the list is full', () => {
  const options = { encoding: 'utf8', env: { ...process.env, LOAD_CALLS: '10000' } } as const;
  const printed = execFileSync(process.execPath, ['--expose-gc', 'tests/load/memory.mjs'], options);
  const [, bytes] = /a list of (\d+) bytes/.exec(printed) ?? [];
  const [, megabytes] = /([\d.]+) MB of memory at most/.exec(printed) ?? [];
  expect(Number(bytes)).toBeGreaterThan(LARGEST_BODY - 100);
  // Node.js 24 lets new objects take a fifth more than 20 does.
  expect(Number(megabytes)).toBeLessThan((3 / 4) * memorySize);
});
