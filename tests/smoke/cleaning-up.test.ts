import { describe, expect, it } from '@jest/globals';
import { runSmoke } from '../../serverless/smoke/run.js';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION } from '../support/service/documented.js';
import { answers, aStage, broken, type Fault, isItem, json, serving, smokeAt, TEXT } from './stage.js';

const ITEM = `An item with Smoke test RANDOM as its ${TEXT}`;
const INTERRUPTED = 'FAILED  The command was interrupted.';
const DELETING = `-       ${ITEM} may be there, and is deleted now.`;
const CLEAN = 'ok      Nothing that was created is left.';

/** Runs the command on a stage with a fault. Says what it printed of failures and of its item, and how many more items there are. */
async function run(fault: (interrupt: () => void) => Fault, cleaningUp?: number) {
  const service = await aStage();
  const count = async () => (await service.call('GET', COLLECTION)).json.length;
  const interruption = new AbortController();
  const before = await count();
  const faulty = broken(
    service,
    fault(() => interruption.abort()),
  );
  const { code, lines } = await smokeAt(await serving(faulty), ['--wait=9'], '', interruption.signal, cleaningUp);
  expect(code).toBe(1);
  const told = lines.slice(0, -1).filter((line) => /^FAILED|may be there|is left/.test(line));
  return { left: (await count()) - before, lines: told };
}

/** Interrupts when a request arrives, or when its answer leaves. */
const interruptingAt =
  (isMeant: (method: string, path: string, body: unknown) => boolean, when: 'before' | 'after') =>
  (interrupt: () => void): Fault =>
  (call) =>
  async (method, path, sent) => {
    const isNow = isMeant(method, path, sent?.body);
    if (isNow && when === 'before') interrupt();
    const answer = await call(method, path, sent);
    if (isNow && when === 'after') interrupt();
    return answer;
  };

/** Whether it is a write of the item, and not a request that is no JSON. */
const isWrite = (method: string, path: string, body: unknown) =>
  method === 'POST' ? String(body).length > 1 : isItem(path) && ['PUT', 'PATCH', 'DELETE'].includes(method);

describe('an interruption ends the trial and deletes the item,', () => {
  it.each(
    ['POST', 'PATCH', 'PUT', 'DELETE'].flatMap((method) => [[method, 'before'] as const, [method, 'after'] as const]),
  )('when %s is sent: %s it is applied', async (interrupted, when) => {
    const isMeant = (method: string, path: string, body: unknown) =>
      method === interrupted && isWrite(method, path, body);
    expect(await run(interruptingAt(isMeant, when))).toEqual({ left: 0, lines: [INTERRUPTED, DELETING, CLEAN] });
  });

  it.each(['/swagger/v1/openapi.json', '/', COLLECTION, `${COLLECTION}?limit=1000`])(
    'unless there is none yet: %s',
    async (last) => {
      const isMeant = (_method: string, path: string) => path === last;
      expect(await run(interruptingAt(isMeant, 'after'))).toEqual({ left: 0, lines: [INTERRUPTED] });
    },
  );

  it('and starts nothing if it comes before the first request', async () => {
    const { lines } = await smokeAt(await serving(await aStage()), [], '', AbortSignal.abort());
    expect(lines).toEqual([INTERRUPTED, 'FAILED  1 of 1 checks.']);
  });

  it('and waits for no pause between two attempts', async () => {
    const busy = (interrupt: () => void) =>
      answers((answer, _method, path) => {
        if (path !== '/swagger/ui') return {};
        interrupt();
        return { status: 503, headers: { ...answer.headers, 'retry-after': '600' } };
      });
    expect((await run(busy)).lines).toEqual([INTERRUPTED]);
  });
});

it('a mistake in the command itself ends it, after its item was deleted', async () => {
  const service = await aStage();
  const { json: before } = await service.call('GET', COLLECTION);
  const print = (line: string) => {
    if (line.includes('An item is created')) throw new TypeError('a mistake');
  };
  const running = runSmoke([await serving(service), '--wait=0'], {}, print, new AbortController().signal);
  await expect(running).rejects.toThrow('a mistake');
  expect((await service.call('GET', COLLECTION)).json).toEqual(before);
});

describe('what cannot be deleted is named:', () => {
  const named = (sentence: string) =>
    `FAILED  Nothing that was created is left. ${sentence} Look at what is there, and delete it yourself.`;

  it('where the stage answers nothing more after an interruption', async () => {
    const silent =
      (interrupt: () => void): Fault =>
      (call) =>
      async (method, path, sent) => {
        const answer = await call(method, path, sent);
        if (!isWrite(method, path, sent?.body)) return answer;
        interrupt();
        return new Promise<never>(() => {});
      };
    expect(await run(silent, 50)).toEqual({
      left: 1,
      lines: [INTERRUPTED, DELETING, named(`${ITEM} may be in the list.`)],
    });
  });

  it('where DELETE is refused', async () => {
    const refusing: Fault = (call) => async (method, path, sent) =>
      method === 'DELETE' ? { ...(await call('GET', path)), status: 403 } : call(method, path, sent);
    const { left, lines } = await run(() => refusing);
    expect([left, lines.at(-1)]).toEqual([1, named(`${ITEM} may be at /live${COLLECTION}/KEY.`)]);
  });

  it('where GET does not show it', async () => {
    const hidden = answers((_answer, method, path) =>
      method === 'GET' && isItem(path) ? { status: 504, ...json({}) } : {},
    );
    const { left, lines } = await run(() => hidden);
    expect([left, lines.at(-1)]).toEqual([1, named(`${ITEM} may be at /live${COLLECTION}/KEY.`)]);
  });

  it('where POST and GET say nothing of it, and the list does', async () => {
    const mute = answers((_answer, method, path) =>
      method === 'POST' || isItem(path) ? ({ status: 504, headers: {}, ...json({}) } as Answer) : {},
    );
    const { left, lines } = await run(() => mute);
    expect([left, lines.at(-1)]).toEqual([1, named(`${ITEM} is in the list, under the key KEY.`)]);
  });

  it('where the answer to POST has the key of an item of somebody else, which is neither changed nor deleted', async () => {
    const service = await aStage();
    const { json: items, headers } = await service.call('GET', COLLECTION);
    const wrong = answers((answer, method) =>
      method === 'POST' && answer.status === 201
        ? { headers: { ...answer.headers, ...headers, location: '/' }, ...json(items[0]) }
        : {},
    );
    const { lines } = await smokeAt(await serving(broken(service, wrong)));
    const another = `/live${COLLECTION}/KEY shows another item, so nothing was deleted there.`;
    expect(lines).toContain(named(`${another} ${ITEM} is in the list, under the key KEY.`));
    expect((await service.call('GET', `${COLLECTION}/${items[0].key}`)).json).toEqual(items[0]);
  });
});
