import { expect, it } from '@jest/globals';
import { startOffline } from '../support/offline.js';
import { putUnderLoad } from './load.js';

it('holds 100 connections with every answer right, and comes back with its one item when it is killed', async () => {
  const service = await startOffline();
  const { calls, faults, left } = await putUnderLoad(service, 100, 3);
  expect(faults).toEqual([]);
  expect(calls).toBeGreaterThan(100);
  expect(left).toBe(1);

  const killed = putUnderLoad(service, 10, 30);
  setTimeout(() => service.stop('SIGKILL'), 500);
  await expect(killed).rejects.toThrow(/ECONN/);
  const next = await startOffline();
  expect((await next.call('GET', '/api/todo')).json).toEqual([
    expect.objectContaining({ name: 'Item1', isComplete: false }),
  ]);
  await next.stop();
}, 60_000);
