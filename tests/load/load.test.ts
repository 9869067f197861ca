import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from '@jest/globals';
import { anItem, CHANGE, COLLECTION, FIRST } from '../support/service/resource.js';
import { type OfflineService, startOffline } from '../support/start/offline.js';
import { putUnderLoad } from './load.js';

const SECONDS = Number(process.env.LOAD_SECONDS ?? 1);
const CALLS = Number(process.env.LOAD_CALLS ?? 10_000);

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

it('holds 100 connections with every answer right', async () => {
  const load = await putUnderLoad(await start(), 100, SECONDS);
  if (SECONDS > 1) process.stdout.write(`${load.calls} calls\n`);
  expect(load.faults).toEqual([]);
  expect(load.calls).toBeGreaterThan(100);
  expect(load.left).toBe(1);
});

it('begins with its first item after it was killed under load', async () => {
  const service = await start();
  const killed = putUnderLoad(service, 10, 3_600);
  setTimeout(() => service.stop('SIGKILL'), 500);
  await expect(killed).rejects.toThrow(/ECONN|hang up/);
  const next = await start();
  expect((await next.call('GET', COLLECTION)).json).toEqual([{ key: expect.any(String), ...FIRST }]);
});

it('has no more in use after thousands of calls than before', () => {
  const options = {
    encoding: 'utf8',
    env: {
      ...process.env,
      LOAD_CALLS: String(CALLS),
      RESOURCE: JSON.stringify({ path: COLLECTION, item: anItem('x'), change: CHANGE }),
    },
  } as const;
  const printed = execFileSync(process.execPath, ['--expose-gc', 'tests/load/memory.mjs'], options);
  if (CALLS > 10_000) process.stdout.write(printed);
  const { full, emptied, later } = JSON.parse(printed);
  expect(emptied).toBeLessThan(full / 5);
  expect(later).toHaveLength(8);
  expect(Math.max(...later)).toBeLessThan(emptied + 1);
});
