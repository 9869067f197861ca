import { AsyncLocalStorage } from 'node:async_hooks';
import timers from 'node:timers/promises';
import { jest } from '@jest/globals';

/**
 * Time that passes only while nothing else is left to do: a pause of seconds takes milliseconds, and a busy machine makes
 * no difference.
 */
export class VirtualTime {
  #now = 0;
  /** In the order in which they ring. */
  readonly #alarms: { readonly at: number; readonly ring: () => void }[] = [];
  readonly #outside = new Set<Promise<unknown>>();
  readonly #ahead = new AsyncLocalStorage<number>();

  get now(): number {
    return this.#now;
  }

  /** Makes the pauses of `node:timers/promises` and the clocks use it, until mocks are restored. */
  install(): void {
    jest
      .spyOn(timers, 'setTimeout')
      .mockImplementation(((length = 0) => this.pause(length)) as typeof timers.setTimeout);
    jest.spyOn(process, 'uptime').mockImplementation(() => this.#now / 1_000);
    const start = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => Math.floor(start + this.#now + (this.#ahead.getStore() ?? 0)));
  }

  /** Does some work with a clock that is so many milliseconds ahead, as the clock of one of several machines may be. */
  ahead<Value>(length: number, work: () => Value): Value {
    return this.#ahead.run(length, work);
  }

  /** Waits for some milliseconds of it. */
  pause(length: number): Promise<void> {
    const at = this.#now + length;
    return new Promise((ring) => {
      const index = this.#alarms.findLastIndex((alarm) => alarm.at <= at) + 1;
      this.#alarms.splice(index, 0, { at, ring });
    });
  }

  /** Waits for something that takes real time; the clock stands still meanwhile. */
  async outside<Value>(promise: Promise<Value>): Promise<Value> {
    this.#outside.add(promise);
    try {
      return await promise;
    } finally {
      this.#outside.delete(promise);
    }
  }

  /** Lets time pass until some work is finished. It throws if the work waits for something that never comes. */
  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    let isDone = false;
    const result = work().finally(() => {
      isDone = true;
    });
    result.catch(() => {});
    for (await this.#quiet(); !isDone; await this.#quiet()) {
      const next = this.#alarms.shift();
      if (!next) throw new Error('the test waits for something that never comes');
      this.#now = next.at;
      next.ring();
    }
    return result;
  }

  async #quiet(): Promise<void> {
    do {
      await Promise.allSettled(this.#outside);
      await new Promise((resolve) => setImmediate(resolve));
    } while (this.#outside.size > 0);
  }
}
