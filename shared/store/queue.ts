/** Runs the tasks of each key one after the other: writes of one instance to one item need not get in each other's way. */
export class Queues {
  readonly #tails = new Map<string, Promise<unknown>>();

  /** Runs a task about a key when those before it have ended, and gives what it returns. */
  async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const before = this.#tails.get(key);
    const running = before ? before.then(task, task) : task();
    this.#tails.set(key, running);
    try {
      return await running;
    } finally {
      if (this.#tails.get(key) === running) this.#tails.delete(key);
    }
  }
}
