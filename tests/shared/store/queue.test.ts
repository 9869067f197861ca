import { describe, expect, it } from '@jest/globals';
import { Queues } from '../../../shared/store/queue.js';

/** A task that ends when the test says so. */
function task() {
  let end: (value: string) => void = () => {};
  let fail: (error: Error) => void = () => {};
  let isRunning = false;
  const ended = new Promise<string>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  const run = () => {
    isRunning = true;
    return ended;
  };
  return { run, end, fail, isRunning: () => isRunning };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('tasks with the same key', () => {
  it('run one after the other, in the order in which they came', async () => {
    const queues = new Queues();
    const [one, two, three] = [task(), task(), task()];
    const results = [one, two, three].map(({ run }) => queues.run('a', run));
    await settle();
    expect([one, two, three].map(({ isRunning }) => isRunning())).toEqual([true, false, false]);
    one.end('1');
    await settle();
    expect([two, three].map(({ isRunning }) => isRunning())).toEqual([true, false]);
    two.end('2');
    three.end('3');
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  });

  it('wait for one that waited itself, also where they come after the first has ended', async () => {
    const queues = new Queues();
    const [one, two, three] = [task(), task(), task()];
    const results = [one, two].map(({ run }) => queues.run('a', run));
    one.end('1');
    await settle();
    results.push(queues.run('a', three.run));
    await settle();
    expect([two, three].map(({ isRunning }) => isRunning())).toEqual([true, false]);
    two.end('2');
    three.end('3');
    expect(await Promise.all(results)).toEqual(['1', '2', '3']);
  });

  it('go on after one that failed, which only its own caller learns', async () => {
    const queues = new Queues();
    const [one, two] = [task(), task()];
    const failing = queues.run('a', one.run);
    const waiting = queues.run('a', two.run);
    one.fail(new Error('broken'));
    two.end('2');
    await expect(failing).rejects.toThrow('broken');
    expect(await waiting).toBe('2');
  });

  it('begin at once where those before have ended', async () => {
    const queues = new Queues();
    await queues.run('a', async () => '1');
    const two = task();
    void queues.run('a', two.run);
    expect(two.isRunning()).toBe(true);
  });
});

describe('tasks with different keys', () => {
  it('run at the same time', () => {
    const queues = new Queues();
    const [one, two] = [task(), task()];
    void queues.run('a', one.run);
    void queues.run('b', two.run);
    expect([one.isRunning(), two.isRunning()]).toEqual([true, true]);
  });
});
