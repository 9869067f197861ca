import { DeleteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, jest } from '@jest/globals';
import { TIMEOUTS } from '../../shared/dynamodb/client.js';
import type { Table } from '../support/dynamodb/tables.js';
import { FAULTS, type Fault } from '../support/simulation/network.js';
import { createRandom } from '../support/simulation/random.js';
import { useVirtualTables } from '../support/simulation/virtual-tables.js';
import { Callers } from './callers.js';
import { judge } from './judge.js';

const HISTORIES = Number(process.env.HISTORIES ?? 10);
const SEED = Number(process.env.NIGHTLY_SEED ?? 1);
const CALLS = Number(process.env.CALLS ?? 12);

const INSTANCES = 3;
const CALLERS = 6;

/** The most milliseconds that a caller waits before a call: so long that rows expire. */
const MAX_SLEEP = 3_000_000;

const { time, network, createTable, openItems, it } = useVirtualTables();

/**
 * Many callers work on the lists of a table through several instances, with the time-outs as deployed and a network to
 * DynamoDB that misbehaves. In the end, when everything that was late has been delivered, all items are read without faults.
 * The seed decides on the calls, the faults, and their order.
 */
it.each(Array.from({ length: HISTORIES }, (_, number) => SEED + number))(
  `several instances behind a network that misbehaves answer as if calls had been made one at a time (rules 15, 22, 29): CALLS=${CALLS} HISTORIES=1 NIGHTLY_SEED=%i`,
  async (seed) => {
    const random = createRandom(seed);
    jest.spyOn(Math, 'random').mockImplementation(createRandom(seed + 1).next);
    const table = await createTable();
    const instances = Array.from({ length: INSTANCES }, () => openItems(table));
    // If there are two owners, they differ only in the case of a letter.
    const lists = random.pick([[undefined], ['team', 'Team']]).map((owner) => new Callers(random, owner));
    const maxSleep = random.pick([0, MAX_SLEEP]);
    let left = CALLS;
    const work = async () => {
      while (left > 0) {
        left -= 1;
        if (maxSleep && random.next() < 0.35) {
          await time.pause(random.next() ** 4 * maxSleep);
          await time.outside(deleteExpired(table));
        }
        await random.pick(lists).call(random.pick(instances), time.now);
      }
    };
    const share = 0.1 + random.next() * 0.4;
    const faults = Array.from({ length: 4 }, () => random.pick(someFaults(random.next())));
    network.misbehaveBy(() => (random.next() < share ? random.pick(faults) : { late: 1 + random.next() * 15 }));
    await Promise.all(Array.from({ length: CALLERS }, work));
    await network.settled();
    network.behave();
    for (const callers of lists) await callers.readAll(instances[0] as (typeof instances)[0]);
    expect(lists.flatMap(({ calls }) => judge(calls)).join('\n\n')).toBe('');
  },
);

/**
 * The faults to choose from, late by a number from 0 to 1. A history gets only a few, which shows what they do together
 * (Groce and others, "Swarm Testing", 2012). Those that leave open whether a write was applied are listed more than once.
 */
function someFaults(number: number): readonly Fault[] {
  const late = Array(5).fill({ late: TIMEOUTS.silence * 6 * number });
  const again = Array(2).fill({ again: TIMEOUTS.silence * 5 * number });
  return [...Object.values(FAULTS), ...late, ...again, FAULTS['hang after'], FAULTS['hang after'], FAULTS['cut after']];
}

/** Deletes the rows that have expired, as DynamoDB does. */
async function deleteExpired({ name: TableName, client }: Table): Promise<void> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  for (const { partition, key, expires } of Items)
    if (expires && Number(expires.N) * 1_000 <= Date.now())
      await client.send(new DeleteItemCommand({ TableName, Key: { partition, key } as (typeof Items)[0] }));
}
