import { describe, expect, it } from '@jest/globals';
import { runSmoke } from '../../serverless/smoke/run.js';
import { COLLECTION } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import {
  answers,
  aStage,
  broken,
  type Fault,
  fields,
  isItem,
  isList,
  isWhole,
  json,
  lacking,
  serving,
  smokeAt,
  TEXT,
} from './stage.js';

/** Interrupts the command, and says what it printed and how many items there were before and after. */
async function interrupted(
  fault: (interrupt: () => void) => Fault,
  cleaningUp?: number,
  stage: Promise<Service> = aStage(),
) {
  const service = await stage;
  const count = async () => (await service.call('GET', COLLECTION)).json.length;
  const interruption = new AbortController();
  const url = await serving(
    broken(
      service,
      fault(() => interruption.abort()),
    ),
  );
  const before = await count();
  const { code, lines } = await smokeAt(url, [], '', interruption.signal, cleaningUp);
  expect(code).toBe(1);
  return { before, after: await count(), lines: lines.filter((line) => !/^ok|and is deleted now/.test(line)) };
}

it('the item is named before it is deleted, because the command may be killed meanwhile', async () => {
  const late = answers((_answer, method) => (method === 'PATCH' ? { status: 500, ...json({}) } : {}));
  const { lines } = await smokeAt(await serving(broken(await aStage(), late)));
  expect(lines.slice(-5, -2)).toEqual([
    expect.stringMatching(/^FAILED {2}PATCH /),
    `-       An item with "Smoke test RANDOM" as "${TEXT}" may be there, and is deleted now.`,
    '-       Nothing that was created is left.',
  ]);
});

const INTERRUPTED = 'FAILED  The command was interrupted.';

/** Interrupts before or after a request arrives, the first time. */
function interrupting(method: string, when: 'before' | 'after', isMeant: (path: string) => boolean = () => true) {
  return (interrupt: () => void): Fault =>
    (call) =>
    async (verb, path, sent) => {
      const isNow = verb === method && isMeant(path);
      if (isNow && when === 'before') interrupt();
      const answer = await call(verb, path, sent);
      if (isNow && when === 'after') interrupt();
      return answer;
    };
}

describe('an interruption ends the trial and deletes the item,', () => {
  it.each([
    ['while POST is on its way', 'POST', 'before'],
    ['before the answer to POST is there', 'POST', 'after'],
    ['before PATCH is applied', 'PATCH', 'before'],
    ['before the answer to PATCH is there', 'PATCH', 'after'],
    ['before the answer to PUT is there', 'PUT', 'after'],
    ['before DELETE is applied', 'DELETE', 'before'],
    ['before the answer to DELETE is there', 'DELETE', 'after'],
  ] as const)('%s', async (_what, method, when) => {
    const { before, after, lines } = await interrupted(interrupting(method, when));
    expect(after).toBe(before);
    expect(lines).toEqual([
      INTERRUPTED,
      '-       Nothing that was created is left.',
      expect.stringMatching(/^FAILED {2}1 of /),
    ]);
  });

  it('where the service knows no Idempotency-Key: then it waits for the answer to POST', async () => {
    const service = lacking(await aStage(), (_operation, parameter) => parameter === 'Idempotency-Key');
    const { before, after, lines } = await interrupted(
      interrupting('POST', 'after'),
      undefined,
      Promise.resolve(service),
    );
    expect(after).toBe(before);
    expect(lines.slice(0, 2)).toEqual([INTERRUPTED, '-       Nothing that was created is left.']);
  });

  it('unless there is none yet: then nothing is created', async () => {
    for (const path of ['/swagger/v1/openapi.json', COLLECTION, '/swagger/ui']) {
      const posts: string[] = [];
      const fault = interrupting('GET', 'after', (called) => called === path);
      const watched =
        (interrupt: () => void): Fault =>
        (call) => {
          const through = fault(interrupt)(call);
          return (method, ...sent) => {
            if (method === 'POST') posts.push(path);
            return through(method, ...sent);
          };
        };
      const { lines } = await interrupted(watched);
      expect(lines).toEqual([INTERRUPTED, expect.stringMatching(/^FAILED {2}1 of /)]);
      expect(posts).toEqual([]);
    }
  });

  it('and starts nothing if it comes before the first request', async () => {
    const url = await serving(await aStage());
    const { lines } = await smokeAt(url, [], '', AbortSignal.abort());
    expect(lines).toEqual([INTERRUPTED, 'FAILED  1 of 1 checks.']);
  });

  it('and does not wait for a pause between two attempts', async () => {
    const busy =
      (interrupt: () => void): Fault =>
      (call) =>
      async (method, path, sent) => {
        const answer = await call(method, path, sent);
        if (path !== '/swagger/ui') return answer;
        interrupt();
        return { ...answer, status: 503, ...fields(answer, { 'retry-after': '600' }) };
      };
    const { lines } = await interrupted(busy);
    expect(lines).toEqual([INTERRUPTED, expect.stringMatching(/^FAILED {2}1 of /)]);
  });
});

it('a mistake in the command itself ends it, after its item was deleted', async () => {
  const service = await aStage();
  const { json: before } = await service.call('GET', COLLECTION);
  const url = await serving(service);
  const print = (line: string) => {
    if (line.includes('Idempotency-Key')) throw new TypeError('a mistake');
  };
  await expect(runSmoke([url, '--wait=0'], {}, print, new AbortController().signal)).rejects.toThrow('a mistake');
  expect((await service.call('GET', COLLECTION)).json).toEqual(before);
});

describe('an item that cannot be deleted is named:', () => {
  const never = new Promise<never>(() => {});

  /** Answers nothing any more once the item is there. */
  const silent =
    (interrupt: () => void): Fault =>
    (call) =>
    async (method, path, sent) => {
      const answer = await call(method, path, sent);
      if (method !== 'POST' && !isItem(path) && !isWhole(path)) return answer;
      interrupt();
      return never;
    };

  it('after an interruption, where the stage does not answer in time', async () => {
    const { before, after, lines } = await interrupted(silent, 50);
    expect(after).toBe(before + 1);
    expect(lines).toEqual([
      INTERRUPTED,
      `FAILED  An item with "Smoke test RANDOM" as "${TEXT}" may be in the list. If so, delete it yourself.`,
      expect.stringMatching(/^FAILED {2}2 of /),
    ]);
  });

  it('after an interruption, where only its GET does not answer in time', async () => {
    const slow =
      (interrupt: () => void): Fault =>
      (call) =>
      async (method, path, sent) => {
        if (method !== 'GET' || !isItem(path)) return call(method, path, sent);
        interrupt();
        return never;
      };
    const { lines } = await interrupted(slow, 50);
    expect(lines[1]).toMatch(
      /^FAILED {2}GET \S+ got no answer \("[^"]+"\)\. An item with "Smoke test RANDOM" as "\w+" may be at \/live\S+\/KEY\. If so, delete it yourself\.$/,
    );
  });

  it('where DELETE is refused', async () => {
    const service = await aStage();
    const refusing: Fault = (call) => async (method, path, sent) =>
      method === 'DELETE'
        ? { ...(await call('GET', path)), status: 403, ...json({ detail: 'No.' }) }
        : call(method, path, sent);
    const { lines } = await smokeAt(await serving(broken(service, refusing)));
    expect(lines.filter((line) => line.startsWith('FAILED')).slice(0, 2)).toEqual([
      expect.stringContaining('FAILED  DELETE /live'),
      `FAILED  GET /live${COLLECTION}/KEY answered 200 after DELETE: look at it, and delete it yourself.`,
    ]);
    expect((await service.call('GET', COLLECTION)).json.at(-1)[TEXT]).toMatch(/^Smoke test [\da-f]{16}$/);
  });

  it('where POST says nothing of it, and the list cannot be read whole', async () => {
    const service = lacking(
      await aStage(),
      (operation, parameter) => operation === `get ${COLLECTION}` && parameter === 'limit',
    );
    const hiding = answers((answer, method, path) => {
      if (method === 'POST') return { status: 504, headers: {}, ...json(null) };
      return isList(path) ? fields(answer, { link: '<a>; rel="next"' }) : {};
    });
    const { lines } = await smokeAt(await serving(broken(service, hiding)));
    expect(lines.at(-3)).toBe(
      `FAILED  An item with "Smoke test RANDOM" as "${TEXT}" may be in the list. If so, delete it yourself.`,
    );
  });
});
