import type { Timeouts } from '../../../shared/dynamodb/retry.js';
import { connect, type Reply, type Send } from '../../../shared/dynamodb/send.js';
import { openLog } from '../../../shared/log/log.js';
import { type TableOptions, TableStore } from '../../../shared/store/table.js';
import { createFaults, type Fault, type Faults, readAtMost, replyOf } from '../../support/dynamodb/faults.js';
import { parcels } from '../../support/service/parcels.js';
import { GENEROUS, useOptions } from '../../support/service/service.js';
import type { VirtualTime } from './time.js';

/** A network between services and a real DynamoDB: each request takes virtual time, and faults are planted in it. */
export interface VirtualNetwork extends Faults {
  /** The endpoint at which requests meet the faults. At any other endpoint, they meet none. */
  readonly endpoint: string;
  /** With these, a service that a test loads by itself is behind it, too. */
  readonly parts: Required<Pick<TableOptions, 'timeouts' | 'connect'>>;
  /** Lets each query from now on read so many rows at most, as it does where rows are large. */
  readAtMost(rows: number | undefined): void;
  /** Waits, for a minute at most, until a request for an operation has been delivered since the faults were last set. */
  delivered(operation: string): Promise<void>;
  /** Waits until all late requests have been delivered. */
  settled(): Promise<void>;
}

/**
 * Puts such a network in front of the services that are started from now on, in this test file.
 *
 * @param time - The clock of the network and of the services.
 * @param target - The endpoint of the DynamoDB behind it.
 * @param timeouts - How long the services' calls may take.
 * @param latency - Returns the milliseconds that a request or a reply takes: less than 20.
 * @returns The network.
 */
export function useVirtualNetwork(
  time: VirtualTime,
  target: string,
  timeouts: Timeouts,
  latency = () => 4,
): VirtualNetwork {
  const endpoint = 'http://faulty.test';
  const { faults, drawFor } = createFaults();
  const deliveries = new Set<Promise<unknown>>();
  let mostRows: number | undefined;
  const parts: VirtualNetwork['parts'] = {
    timeouts,
    connect(access) {
      const send = connect({ ...access, endpoint: target });
      return access.endpoint === endpoint ? withFaults(send) : withFaults(send, () => undefined);
    },
  };
  useOptions(parts);

  function withFaults(send: Send, draw = drawFor): Send {
    const deliver = (operation: string, input: string, late: number) => {
      const sending = () => readAtMost(mostRows, send)(operation, input, GENEROUS.attempt);
      const delivery = time.pause(late).then(() => time.outside(sending()));
      deliveries.add(delivery);
      return delivery.finally(() => deliveries.delete(delivery));
    };
    return async (operation, input, timeout) => {
      const fault = draw(operation, input);
      if (fault === 'end after') void deliver(operation, input, latency());
      if (fault === 'end after' || fault === 'end before') return never();
      const reply = replyFrom(fault, (late) => deliver(operation, input, late));
      const tooLate = time.pause(timeout).then(() => Promise.reject(new Error(`no reply within ${timeout} ms`)));
      return Promise.race([reply, tooLate]);
    };
  }

  async function replyFrom(fault: Fault | undefined, deliver: (late: number) => Promise<Reply>): Promise<Reply> {
    if (fault === 'hang') return never();
    if (fault === 'cut before') throw new Error('socket hang up');
    const instead = replyOf(fault);
    if (!instead || fault === 'fail after') {
      const { late, again } = typeof fault === 'object' ? fault : {};
      const reply = await deliver(late ?? latency());
      if (again !== undefined) void deliver(again);
      if (fault === 'hang after') return never();
      if (fault === 'cut after' || fault === 'cut within the reply') throw new Error('socket hang up');
      await time.pause(latency());
      return instead ?? reply;
    }
    await time.pause(latency() + latency());
    return instead;
  }

  return {
    ...faults,
    endpoint,
    parts,
    readAtMost(rows) {
      mostRows = rows;
    },
    async delivered(operation) {
      for (let waited = 0; !faults.operations.includes(operation); waited += 1) {
        if (waited > 60_000) throw new Error(`no request for ${operation} came within a minute`);
        await time.pause(1);
      }
      await time.pause(20);
    },
    async settled() {
      while (deliveries.size > 0) await Promise.allSettled(deliveries);
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}

/**
 * Opens a store of parcels, with the time-outs as deployed, that sends its requests to a function of the test.
 *
 * @param send - Stands for the network and DynamoDB.
 * @param since - When the total time-out of the request began; now when left out.
 * @returns The collection of a request.
 */
export function openStoreOn(send: Send, since?: number) {
  const access = { endpoint: '', region: '', credentials: { accessKeyId: '', secretAccessKey: '' } };
  const options = { access, table: 'parcels', capacity: 6_000_000, log: openLog('silent'), connect: () => send };
  return new TableStore(parcels, options).for({ requestId: 'request-1', since });
}
