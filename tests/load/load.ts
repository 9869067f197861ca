import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import type { OfflineService } from '../support/start/offline.js';
import { Caller, type Tally } from './caller.js';

/** The outcome of a load. */
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

/**
 * Sums a load up in a few lines.
 *
 * @param load - The load.
 * @returns Calls, faults, times by operation, and memory.
 */
export function reportOf({ calls, faults, times, memory }: Load): string {
  const lines = Array.from(times, ([operation, measured]) => {
    const sorted = measured.sort((one, other) => one - other);
    const at = (share: number) => `${(sorted[Math.floor(share * (sorted.length - 1))] as number).toFixed(1)} ms`;
    return `${operation.padEnd(12)} p50 ${at(0.5)}, p90 ${at(0.9)}, p99 ${at(0.99)}, longest ${at(1)}`;
  });
  const third = Math.ceil(memory.length / 3);
  const peaks = [0, 1, 2].map((part) => Math.max(...memory.slice(part * third, (part + 1) * third)).toFixed(0));
  lines.push(`memory at most ${peaks.join(', ')} MB in the first, second and last third`);
  return [`${calls} calls, ${faults.length} faults`, ...lines].join('\n');
}

/** Linux counts it in pages of 4 KB. */
function memoryOf(pid: number): number {
  return (Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * 4_096) / 2 ** 20;
}
