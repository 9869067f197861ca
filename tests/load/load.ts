import { Agent } from 'node:http';
import { COLLECTION } from '../support/service/resource.js';
import type { OfflineService } from '../support/start/offline.js';
import { Caller, type Tally } from './caller.js';

/** What a load came to, and how many items were there at the end. */
export interface Load extends Tally {
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
  await service.call('GET', COLLECTION); // the code is loaded by the first one
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const tally: Tally = { calls: 0, faults: [] };
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
  agent.destroy();
  const left = (await service.call('GET', COLLECTION)).json.length;
  return { ...tally, left };
}
