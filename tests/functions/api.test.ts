import { isDeepStrictEqual } from 'node:util';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { gateways } from '../support/gateways/gateways.js';
import { captureLog, captureOutput } from '../support/service/log.js';
import { anItem, COLLECTION, FIRST } from '../support/service/resource.js';
import { loadHandler, startService } from '../support/service/service.js';

const NOT_UTF8 = expect.stringContaining('not UTF-8');

afterEach(() => {
  jest.restoreAllMocks();
  jest.dontMock('../../shared/store/memory.js');
});

describe('the handler', () => {
  it('declares at most two parameters: with a third one, the runtime refuses it', () => {
    expect(loadHandler().length).toBeLessThanOrEqual(2);
  });

  it.each([
    [undefined, 'a value of type undefined'],
    [null, 'null'],
    ['ping', 'a value of type string'],
    [{}, 'an event with the members "none"'],
    [{ warmer: true, concurrency: 3 }, 'an event with the members "warmer, concurrency"'],
    [{ source: 'serverless-plugin-warmup' }, 'an event from "serverless-plugin-warmup"'],
    [{ Records: [{ eventSource: 'aws:sqs', body: 'secret' }] }, 'an event from "aws:sqs"'],
    [{ Records: [{ EventSource: 'aws:sns' }] }, 'an event from "aws:sns"'],
    [{ Records: [] }, 'an event with the members "Records"'],
    [{ requestContext: { elb: {} }, httpMethod: 'GET', path: '/' }, "a load balancer's event"],
    [{ requestContext: { connectionId: 'x' } }, 'an event with the members "requestContext"'],
    [{ httpMethod: 5, path: '/' }, 'an event with the members "httpMethod, path"'],
    [{ httpMethod: 'GET', path: null }, 'an event with the members "httpMethod, path"'],
    [
      { rawPath: 5, requestContext: { http: { method: 'GET' } } },
      'an event with the members "rawPath, requestContext"',
    ],
    [{ rawPath: '/', requestContext: { http: {} } }, 'an event with the members "rawPath, requestContext"'],
  ])('refuses %j, saying what it is and nothing of its contents', async (event, received) => {
    const lines = captureLog();
    const result = await loadHandler({ LOG_LEVEL: 'error' })(event);
    expect(result).toMatchObject({ statusCode: 400, headers: { 'Content-Type': 'application/problem+json' } });
    const { detail, requestId } = JSON.parse((result as { body: string }).body);
    expect(detail).toBe(
      `The function was invoked with ${received}. It answers REST APIs, HTTP APIs and function URLs.`,
    );
    expect(requestId).toBe('');
    expect(lines).toEqual([expect.objectContaining({ level: 'ERROR', message: 'unknown kind of event', received })]);
  });

  it('rejects an event without a line in a log that is silent', async () => {
    const lines = captureLog();
    expect(await loadHandler({ LOG_LEVEL: 'silent' })({})).toHaveProperty('statusCode', 400);
    expect(lines).toEqual([]);
  });

  it.each([
    { httpMethod: 'GET', path: COLLECTION },
    { httpMethod: 'GET', path: COLLECTION.slice(1) },
    {
      httpMethod: 'GET',
      path: COLLECTION,
      headers: 5,
      multiValueHeaders: 'x',
      requestContext: null,
      pathParameters: 7,
    },
    { httpMethod: 'GET', path: COLLECTION, headers: { accept: 5 }, multiValueHeaders: { accept: [null, 7] } },
    {
      httpMethod: 'GET',
      path: COLLECTION,
      pathParameters: { proxy: 'other' },
      resource: 9,
      requestContext: { path: 5 },
    },
    { httpMethod: 'GET', path: `/x${COLLECTION}`, pathParameters: { proxy: COLLECTION.slice(1) } },
    { rawPath: COLLECTION, requestContext: { http: { method: 'GET' } } },
    { rawPath: COLLECTION, requestContext: { http: { method: 'GET' }, domainName: 'x.lambda-url.eu-west-1.on.aws' } },
  ])('answers an event that has the bare necessities: %j', async (event) => {
    expect(await loadHandler()(event)).toHaveProperty('statusCode', 200);
  });

  it('has no id to quote where an event has none', async () => {
    const result = (await loadHandler()({ httpMethod: 'GET', path: '/none' })) as { body: string };
    expect(JSON.parse(result.body)).toHaveProperty('requestId', '');
  });

  it('answers 400 to a body that is not text, not the base64 that it should be, or not UTF-8', async () => {
    const handle = loadHandler();
    const post = (body: unknown) => handle({ httpMethod: 'POST', path: COLLECTION, body, isBase64Encoded: true });
    expect(await post(5)).toMatchObject({ statusCode: 400, body: expect.stringContaining('missing') });
    expect(await post('')).toMatchObject({ statusCode: 400, body: expect.stringContaining('missing') });
    expect(await post(JSON.stringify(anItem()))).toMatchObject({ statusCode: 400, body: NOT_UTF8 });
    // JSON may have spaces in front, so that its base64 has each length of padding, and each digit in each place.
    const texts = ['', ' ', '  '].map((spaces) => `\ufeff${spaces}${JSON.stringify(anItem('ab>?b\ufffd'))}`);
    for (const text of texts) {
      const encoded = Buffer.from(text).toString('base64');
      const unpadded = encoded.replace(/=+$/, '');
      for (const right of [encoded, unpadded, Buffer.from(text).toString('base64url')]) {
        expect(await post(right)).toMatchObject({ statusCode: 201 });
      }
      const bytes = Buffer.concat([Buffer.from(text).subarray(0, -2), Buffer.of(0xff), Buffer.from('"}')]);
      for (const wrong of [bytes.toString('base64'), `eyJu!!!!${encoded}`, `eyJu!${encoded}`, `${encoded}A`]) {
        expect(await post(wrong)).toMatchObject({ statusCode: 400, body: NOT_UTF8 });
      }
    }
  });
});

describe('an unhandled exception', () => {
  /** A store whose every method fails. */
  class FailingStore {
    create(item: object) {
      if (!isDeepStrictEqual(item, FIRST)) throw 'thrown as text';
    }
    find() {
      throw new Error('the store burns', { cause: new TypeError('a spark') });
    }
    async list() {
      throw new Error('later');
    }
    update = this.find;
    remove = this.find;
  }

  const burning = {
    name: 'Error',
    message: 'the store burns',
    stack: expect.stringMatching(/^Error: the store burns\n +at /),
    cause: { name: 'TypeError', message: 'a spark', stack: expect.stringMatching(/^TypeError: a spark\n +at /) },
  };

  it.each([
    ['GET', COLLECTION, COLLECTION, { name: 'Error', message: 'later', stack: expect.stringMatching(/later\n +at /) }],
    ['POST', COLLECTION, COLLECTION, { message: 'thrown as text' }],
    ['GET', `${COLLECTION}/1`, `${COLLECTION}/{id}`, burning],
    ['PUT', `${COLLECTION}/1`, `${COLLECTION}/{id}`, burning],
    ['PATCH', `${COLLECTION}/1`, `${COLLECTION}/{id}`, burning],
    ['DELETE', `${COLLECTION}/1`, `${COLLECTION}/{id}`, burning],
  ])('on %s %s is answered 500 without detail, and logged whole', async (method, path, route, error) => {
    const lines = captureLog();
    jest.doMock('../../shared/store/memory.js', () => ({ MemoryStore: FailingStore }));
    const service = startService(undefined, { LOG_LEVEL: 'error' });
    const answer = await service.call(method, path, { body: { key: '1', ...anItem('a') } });
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      requestId: expect.stringMatching(/./),
    });
    const { requestId } = answer.json;
    const line = {
      timestamp: expect.any(String),
      level: 'ERROR',
      message: 'unhandled exception',
      requestId,
      route,
      error,
    };
    expect(lines).toEqual([line]);
  });
});

describe('a table that cannot be reached', () => {
  /** Nothing was changed where `applied` is false; where it is undefined, nobody knows. */
  const startUnreachable = (applied: false | undefined) => {
    class UnreachableStore {
      find(): never {
        throw Object.assign(new Error('busy'), { retryAfter: 2, applied });
      }
      list = this.find;
      update = this.find;
      remove = this.find;
      create() {}
    }
    jest.doMock('../../shared/store/memory.js', () => ({ MemoryStore: UnreachableStore }));
    return startService();
  };
  const CALLS = [
    ['GET', COLLECTION],
    ['GET', `${COLLECTION}/1`],
    ['PUT', `${COLLECTION}/1`],
    ['PATCH', `${COLLECTION}/1`],
    ['DELETE', `${COLLECTION}/1`],
  ] as const;

  it.each(CALLS)('is answered 503 to %s %s, with applied: false where nothing was changed', async (method, path) => {
    const answer = await startUnreachable(false).call(method, path, { body: { key: '1', ...anItem('a') } });
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' }, json: { applied: false } });
    expect(answer.json.detail).toBe('The collection cannot be reached just now, and nothing was changed. Try again.');
  });

  it.each(CALLS.slice(2))(
    'is answered 503 to %s %s, saying that the change may have been made',
    async (method, path) => {
      const answer = await startUnreachable(undefined).call(method, path, { body: { key: '1', ...anItem('a') } });
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } });
      expect(answer.json).not.toHaveProperty('applied');
      expect(answer.json.detail).toContain('The change may have been made: look before you send it again.');
    },
  );
});

describe('HEAD', () => {
  it.each([
    [200, () => startService(), COLLECTION],
    [302, () => startService(), '/'],
    [400, () => startService(), `${COLLECTION}?limit=0`],
    [404, () => startService(), `${COLLECTION}/1`],
    [404, () => startService(), '/nowhere'],
    [500, () => startFailing(new Error('the store burns')), COLLECTION],
    [503, () => startFailing(Object.assign(new Error('busy'), { retryAfter: 2, applied: false })), COLLECTION],
  ])('is answered %i like GET, but without content', async (status, start, path) => {
    const service = start();
    const [got, head] = [await service.call('GET', path), await service.call('HEAD', path)];
    expect([got.status, head.status]).toEqual([status, status]);
    if (status !== 302) expect(got.text).not.toBe('');
    expect(head.text).toBe('');
    expect(head.headers).toEqual(got.headers);
  });

  function startFailing(error: Error) {
    class FailingStore {
      create() {}
      async list() {
        throw error;
      }
    }
    jest.doMock('../../shared/store/memory.js', () => ({ MemoryStore: FailingStore }));
    return startService();
  }
});

describe('the log', () => {
  it('has one line for every request, with the route and never the path', async () => {
    const lines = captureLog();
    const service = startService(gateways[0], { LOG_LEVEL: 'info' });
    await service.call('GET', `${COLLECTION}/secret`);
    await service.call('POST', COLLECTION, { body: anItem('x') });
    await service.call('GET', '/nowhere');
    const shared = {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'INFO',
      message: 'request',
      requestId: expect.stringMatching(/^7c2af7db/),
      duration: expect.any(Number),
    };
    expect(lines).toEqual([
      { ...shared, method: 'GET', route: `${COLLECTION}/{id}`, status: 404, coldStart: true },
      { ...shared, method: 'POST', route: COLLECTION, status: 201, coldStart: false },
      { ...shared, method: 'GET', status: 404, coldStart: false },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it("names the invocation, as the runtime's own lines do", async () => {
    const lines = captureLog();
    await loadHandler({ LOG_LEVEL: 'info' })(
      { httpMethod: 'GET', path: COLLECTION },
      { awsRequestId: 'invocation-1', xRayTraceId: 'Root=1-5e66d96f' },
    );
    expect(lines).toEqual([
      expect.objectContaining({ awsRequestId: 'invocation-1', traceId: 'Root=1-5e66d96f', requestId: '' }),
    ]);
  });

  it('is text for people under the local emulator', async () => {
    let written = '';
    captureOutput((text) => {
      written += text;
    });
    await startService(undefined, { LOG_LEVEL: 'info', IS_OFFLINE: 'true' }).call('GET', COLLECTION);
    expect(written).toMatch(new RegExp(`^GET ${COLLECTION} 200 [\\d.]+ ms\n$`));
  });

  it('says how long a request took, in milliseconds to the microsecond', async () => {
    const lines = captureLog();
    const started: [number, number] = [7, 0];
    const clock = (since?: [number, number]) => (since === started ? [1, 2_345_678] : started);
    jest.spyOn(process, 'hrtime').mockImplementation(clock as typeof process.hrtime);
    await startService(undefined, { LOG_LEVEL: 'info' }).call('GET', COLLECTION);
    expect(lines).toEqual([expect.objectContaining({ duration: 1_002.346 })]);
  });

  it.each(['warn', 'error', 'silent'])('at level %s has no line for a request', async (level) => {
    const lines = captureLog();
    await startService(undefined, { LOG_LEVEL: level }).call('GET', COLLECTION);
    expect(lines).toEqual([]);
  });
});
