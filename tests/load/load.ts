import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import type { OfflineService } from '../support/offline.js';
import { Caller, type Tally } from './caller.js';

/** What a load came to. */
export interface Load extends Tally {
  readonly calls: number;
  /** Memory of the process in MB, measured a second apart. */
  readonly memory: readonly number[];
  /** How many items were there at the end. */
  readonly left: number;
}

/**
 * Puts the service under load: mixed operations with every answer checked, by callers that never wait.
 *
 * @param service - With its first item and no other.
 * @param connections - How many callers there are, each on a connection of its own.
 * @param seconds - How long they go on.
 * @returns The load. It never throws for a wrong answer: that is a fault.
 */
export async function putUnderLoad(service: OfflineService, connections: number, seconds: number): Promise<Load> {
  await service.call('GET', '/api/todo'); // the code is loaded by the first one
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const tally: Tally = { times: new Map(), faults: [] };
  const memory: number[] = [];
  const clock = setInterval(() => memory.push(memoryOf(service.pid)), 1_000);
  const end = performance.now() + seconds * 1_000;
  const call = async () => {
    const caller = new Caller(service.url, agent, tally);
    try {
      while (performance.now() < end) await caller.work();
      await caller.clear();
    } catch (error) {
      tally.faults.push(String(error));
    }
  };
  await Promise.all(Array.from({ length: connections }, call));
  clearInterval(clock);
  agent.destroy();
  const left = (await service.call('GET', '/api/todo')).json.length;
  return { ...tally, calls: [...tally.times.values()].flat().length, memory, left };
}

/** Linux says it in pages of 4 KB. */
function memoryOf(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096) / 2 ** 20;
}
