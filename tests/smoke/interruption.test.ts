import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { watchForInterruption } from '../../serverless/smoke/interruption.js';
import { COLLECTION } from '../support/service/documented.js';
import { aStage, broken, type Fault, serving } from './stage.js';

/**
 * Runs `npm run smoke` in a group of processes of its own. Once the item is there, and before the command knows its key, `interrupt` is called;
 * then the command gets all the time that it needs.
 */
async function interrupted(interrupt: (npm: ChildProcess & { readonly pid: number }) => unknown) {
  const service = await aStage();
  const count = async () => (await service.call('GET', COLLECTION)).json.length;
  const before = await count();
  let isInterrupted = false;
  const fault: Fault = (call) => async (method, path, sent) => {
    const answer = await call(method, path, sent);
    // What is no JSON creates nothing.
    if (method !== 'POST' || answer.status !== 201 || isInterrupted) return answer;
    isInterrupted = true;
    await interrupt(npm);
    // The answer comes when the command has stopped waiting for it.
    await new Promise(() => {});
    return answer;
  };
  const url = await serving(broken(service, fault));
  const npm = spawn('npm', ['run', 'smoke', '--', url, '--wait=0'], { detached: true }) as ChildProcess & {
    readonly pid: number;
  };
  let printed = '';
  npm.stdout?.setEncoding('utf8').on('data', (text) => {
    printed += text;
  });
  // It closes when the last process has ended that has its output.
  const isOver = once(npm, 'close');
  const isEmpty = async () => {
    while ((await count()) !== before || !isInterrupted) await setTimeout(20);
  };
  await Promise.all([isOver, isEmpty()]);
  return printed;
}

describe('npm run smoke deletes its item', () => {
  it.each(['SIGTERM', 'SIGHUP'] as const)('when %s comes to npm alone', async (signal) => {
    if (process.platform !== 'linux') return;
    const printed = await interrupted((npm) => npm.kill(signal));
    expect(printed).toMatch(/FAILED {2}The command was interrupted\.\n-.*\nok.*\nFAILED {2}\d+ of \d+ checks\.\n$/);
  });

  it('when Ctrl+C is pressed, even twice, which reaches all processes of the command', async () => {
    const printed = await interrupted((npm) => {
      process.kill(-npm.pid, 'SIGINT');
      process.kill(-npm.pid, 'SIGINT');
    });
    expect(printed).toMatch(/ok.*Nothing that was created is left\.\nFAILED {2}\d+ of \d+ checks\.\n$/);
  });

  it('when SIGINT and then SIGTERM come to npm, as in a job that is cancelled, and the output is no longer read', async () => {
    const printed = await interrupted((npm) => {
      npm.stdout?.destroy();
      npm.kill('SIGINT');
      npm.kill('SIGTERM');
    });
    expect(printed).not.toContain('FAILED');
  });
});

describe('an interruption', () => {
  const { npm_lifecycle_event: script } = process.env;

  afterEach(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
    jest.restoreAllMocks();
    jest.useRealTimers();
    process.env.npm_lifecycle_event = script;
    if (script === undefined) delete process.env.npm_lifecycle_event;
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('is %s', (signal) => {
    delete process.env.npm_lifecycle_event;
    const { aborted, ...watched } = { aborted: false, signal: watchForInterruption() };
    expect(watched.signal.aborted).toBe(aborted);
    process.emit(signal);
    process.emit(signal);
    expect(watched.signal.aborted).toBe(true);
  });

  it('is the end of the shell in which npm runs the command, and of npm', () => {
    if (process.platform !== 'linux') return;
    process.env.npm_lifecycle_event = 'smoke';
    for (const parents of [
      [process.ppid, 1],
      [process.pid, 1],
      [2 ** 30, process.ppid],
    ]) {
      jest.useFakeTimers();
      const [before, after] = parents;
      const parent = jest.replaceProperty(process, 'ppid', before as number);
      const interruption = watchForInterruption();
      jest.advanceTimersByTime(10_000);
      expect(interruption.aborted).toBe(false);
      parent.replaceValue(after as number);
      jest.advanceTimersByTime(1_000);
      expect(interruption.aborted).toBe(true);
      jest.restoreAllMocks();
    }
  });
});

describe('the command', () => {
  const [argv, exitCode] = [process.argv, process.exitCode];

  afterEach(() => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.removeAllListeners(signal);
    jest.restoreAllMocks();
    Object.assign(process, { argv, exitCode });
  });

  /** Runs it in this process until it has set the exit code. */
  async function run(print: (line: string) => void, ...words: readonly string[]) {
    process.argv = ['node', 'smoke', ...words];
    process.exitCode = undefined;
    const errors: unknown[] = [];
    jest.spyOn(console, 'error').mockImplementation((error) => errors.push(error));
    jest.spyOn(process.stdout, 'write').mockImplementation((line) => {
      print(String(line));
      return true;
    });
    await jest.isolateModulesAsync(async () => {
      await import('../../serverless/smoke/smoke.js');
    });
    while (process.exitCode === undefined) await setTimeout(5);
    return { code: process.exitCode, errors };
  }

  it('prints a line for each check and the verdict, and ends with 0', async () => {
    const lines: string[] = [];
    const { code, errors } = await run((line) => lines.push(line), await serving(await aStage()), '--wait=0');
    expect([code, lines.at(-1), errors]).toEqual([0, 'PASSED  16 checks.\n', []]);
    expect(() => process.stdout.emit('error', new Error('write EPIPE'))).not.toThrow();
  });

  it('prints how it is used, and ends with 1, if an argument is wrong', async () => {
    const { code, errors } = await run(() => {}, 'nowhere');
    expect(errors).toEqual([expect.stringMatching(/^It takes a URL like .*; got nowhere\.\nUsage: npm run smoke/)]);
    expect(code).toBe(1);
  });

  it('prints a mistake of its own whole, and ends with 1', async () => {
    const mistake = new TypeError('a mistake');
    const print = () => {
      throw mistake;
    };
    expect(await run(print, await serving(await aStage()), '--wait=0')).toEqual({ code: 1, errors: [mistake] });
  });
});
