import { type Fault, startFaultyServer } from '../support/faults.js';
import { type Service, startService } from '../support/service.js';
import { environmentOf, type Tables } from '../support/tables.js';
import { Callers, type Recorded } from './callers.js';
import { createRandom } from './random.js';

/** How long the calls of a request may take, in milliseconds: so little that a history takes half a second. */
export const TIMING = { patience: 100, budget: 700 };

const INSTANCES = 3;
const CALLERS = 6;
const CALLS = 30;

/**
 * Prepares a history: many callers work on one table through several instances of the service, and a DynamoDB that
 * misbehaves between them; in the end, when all that was held back is delivered, everything is read once more. Loading the
 * instances blocks the process, and would have other histories time out.
 *
 * @param tables - Where the table is made.
 * @param seed - Decides on the calls and on the faults. Which meet is up to the machine.
 * @returns Runs it, and returns everything that was called.
 */
export async function prepareHistory(tables: Tables, seed: number): Promise<() => Promise<readonly Recorded[]>> {
  const random = createRandom(seed);
  const server = await startFaultyServer(tables.endpoint);
  const { TODO_TABLE } = await tables.create();
  const start = () => startService(undefined, environmentOf(TODO_TABLE, server.endpoint));
  const services = Array.from({ length: INSTANCES }, start);
  for (const service of services) await service.call('GET', '/api/todo/none');
  const callers = new Callers(random, random.pick([1, 2, 3]));
  const share = 0.1 + random.next() * 0.4;
  const faults = Array.from({ length: 4 }, () => random.pick(FAULTS));
  let left = CALLS;
  const work = async (caller: string, service: Service) => {
    while (left > 0) {
      left -= 1;
      await callers.call(caller, service);
    }
  };
  return async () => {
    server.misbehaveBy(() => (random.next() < share ? random.pick(faults)(random.next()) : undefined));
    await Promise.all(
      Array.from({ length: CALLERS }, (_, number) => work(`caller ${number}`, services[number % INSTANCES] as Service)),
    );
    await server.settled();
    server.misbehave();
    await callers.readAll('the last one', services[0] as Service);
    await server.stop();
    return callers.calls;
  };
}

/**
 * What goes wrong, given a number from 0 to 1; each history has a few kinds of it, for what they do together (Groce and
 * others, "Swarm Testing", 2012). There are more of those that leave it open whether a write was done.
 */
const FAULTS: readonly ((number: number) => Fault)[] = [
  ...Array<(number: number) => Fault>(4).fill((number) => ({ late: TIMING.patience * (1 + 5 * number) })),
  (number) => ({ late: TIMING.patience * number }),
  (number) => ({ again: TIMING.patience * 2 * number }),
  (number) => ({ again: TIMING.patience * 5 * number }),
  ...Array<() => Fault>(3).fill(() => 'hang after'),
  () => 'cut after',
  () => 'cut within the reply',
  () => 'fail after',
  () => 'hang',
  () => 'cut before',
  () => 'fail',
  () => 'throttle',
  () => 'talk nonsense',
  () => 'deny',
];
