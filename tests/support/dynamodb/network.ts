import timers from 'node:timers/promises';
import type { Timeouts } from '../../../shared/dynamodb/retry.js';
import { connect, type Reply, type Send } from '../../../shared/dynamodb/send.js';
import type { TableOptions } from '../../../shared/store/table.js';
import { GENEROUS, useOptions } from '../service/service.js';
import { createFaults, type Fault, type Faults, readAtMost, replyOf } from './faults.js';

/** A network between services and a real DynamoDB, in which faults are planted. */
export interface FaultyNetwork extends Faults {
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

/** The time in which the network works. */
export interface Clock {
  pause(length: number): Promise<unknown>;
  /** Waits for DynamoDB, which takes real time. */
  outside<Value>(promise: Promise<Value>): Promise<Value>;
}

export const REAL_TIME: Clock = {
  pause: (length) => timers.setTimeout(length, undefined, { ref: false }),
  outside: (promise) => promise,
};

/**
 * Puts such a network in front of the services that are started from now on, in this test file. A request or a reply takes the
 * `latency`, less than 20 milliseconds.
 */
export function useFaultyNetwork(time: Clock, target: string, timeouts: Timeouts, latency = () => 4): FaultyNetwork {
  const endpoint = 'http://faulty.test';
  const { faults, drawFor } = createFaults();
  const deliveries = new Set<Promise<unknown>>();
  let mostRows: number | undefined;
  const parts: FaultyNetwork['parts'] = {
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
      if (fault === 'cut after') throw new Error('socket hang up');
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
