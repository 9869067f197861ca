import { type Fault, startFaultyServer } from '../support/faults.js';
import { type Service, startService } from '../support/service.js';
import { environmentOf, type Tables } from '../support/tables.js';
import { Callers, type Recorded } from './callers.js';
import { createRandom, type Random } from './random.js';

/** How long the calls of a request may take, in milliseconds: so little that a history takes half a second. */
export const TIMING = { patience: 120, budget: 900 };

const INSTANCES = 3;
const CALLERS = 6;
const CALLS = 30;

/**
 * Has many callers work on one table through several instances of the service, and a DynamoDB that misbehaves between
 * them; in the end, when all that was held back is delivered, everything is read once more.
 *
 * @param tables - Where the table is made.
 * @param seed - Decides on the calls and on the faults. Which meet is up to the machine.
 * @returns Everything that was called.
 */
export async function runHistory(tables: Tables, seed: number): Promise<readonly Recorded[]> {
  const random = createRandom(seed);
  const server = await startFaultyServer(tables.endpoint);
  const { TODO_TABLE } = await tables.create();
  const start = () => startService(undefined, environmentOf(TODO_TABLE, server.endpoint));
  const services = Array.from({ length: INSTANCES }, start);
  const callers = new Callers(random);
  const share = 0.1 + random.next() * 0.4;
  server.misbehaveBy(() => (random.next() < share ? faultOf(random) : undefined));
  let left = CALLS;
  const work = async (caller: string, service: Service) => {
    while (left > 0) {
      left -= 1;
      await callers.call(caller, service);
    }
  };
  await Promise.all(
    Array.from({ length: CALLERS }, (_, number) => work(`caller ${number}`, services[number % INSTANCES] as Service)),
  );
  await server.settled();
  server.misbehave();
  await callers.readAll('the last one', services[0] as Service);
  await server.stop();
  return callers.calls;
}

/** More of those that leave it open what was done: an order of these is what the store must get right. */
function faultOf(random: Random): Fault {
  const late = TIMING.patience * (1 + 5 * random.next());
  return random.pick<Fault>([
    { late },
    { late },
    { late },
    { late: late / 6 },
    { again: late / 2 },
    { again: late },
    'cut after',
    'cut after',
    'cut within the reply',
    'hang after',
    'fail after',
    'hang',
    'cut before',
    'fail',
    'throttle',
    'talk nonsense',
    'deny',
  ]);
}
