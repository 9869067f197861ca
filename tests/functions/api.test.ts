import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { kinds } from '../support/kinds.js';
import { loadHandler, startService } from '../support/service.js';

/** Collects the lines of the log while a test runs. */
function captureLog(): Record<string, unknown>[] {
  const lines: Record<string, unknown>[] = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    lines.push(JSON.parse(String(text)));
    return true;
  });
  return lines;
}

afterEach(() => {
  jest.restoreAllMocks();
  jest.dontMock('../../shared/todo/memory.js');
});

describe('the handler', () => {
  it('declares at most two parameters: with a third one, the runtime refuses it', () => {
    expect(loadHandler().length).toBeLessThanOrEqual(2);
  });

  it.each([
    ['nothing', undefined, 'undefined'],
    ['null', null, 'object'],
    ['a text', 'ping', 'string'],
    ['a warm-up', { source: 'serverless-plugin-warmup' }, ['source']],
    ['a queue', { Records: [{ eventSource: 'aws:sqs' }] }, ['Records']],
    [
      'a load balancer',
      { requestContext: { elb: {} }, httpMethod: 'GET', path: '/' },
      ['requestContext', 'httpMethod', 'path'],
    ],
    ['a method that is none', { httpMethod: 5, path: '/' }, ['httpMethod', 'path']],
    ['a path that is none', { httpMethod: 'GET', path: null }, ['httpMethod', 'path']],
  ])('refuses an event of another kind with a valid result: %s', async (_name, event, received) => {
    const lines = captureLog();
    const result = await loadHandler({ LOG_LEVEL: 'error' })(event);
    expect(result).toEqual({
      statusCode: 400,
      headers: expect.objectContaining({ 'Content-Type': 'application/problem+json' }),
      body: expect.stringContaining('no API Gateway proxy event'),
      isBase64Encoded: false,
    });
    expect(lines).toEqual([
      expect.objectContaining({ level: 'ERROR', message: expect.stringContaining('unknown kind'), received }),
    ]);
  });

  it.each([
    { httpMethod: 'GET', path: '/api/todo' },
    { httpMethod: 'GET', path: 'api/todo' },
    {
      httpMethod: 'GET',
      path: '/api/todo',
      headers: 5,
      multiValueHeaders: 'x',
      requestContext: null,
      pathParameters: 7,
    },
    { httpMethod: 'GET', path: '/api/todo', headers: { accept: 5 }, multiValueHeaders: { accept: [null, 7] } },
    {
      httpMethod: 'GET',
      path: '/api/todo',
      pathParameters: { proxy: 'other' },
      resource: 9,
      requestContext: { path: 5 },
    },
    { httpMethod: 'GET', path: '/x/api/todo', pathParameters: { proxy: 'api/todo' } },
  ])('answers an event that has the bare necessities: %j', async (event) => {
    expect(await loadHandler()(event)).toHaveProperty('statusCode', 200);
  });

  it('answers 400 where a body is no text, or no base64 though it should be, or no UTF-8', async () => {
    const handle = loadHandler();
    const post = (body: unknown) => handle({ httpMethod: 'POST', path: '/api/todo', body, isBase64Encoded: true });
    expect(await post(5)).toMatchObject({ statusCode: 400, body: expect.stringContaining('missing') });
    expect(await post('')).toMatchObject({ statusCode: 400, body: expect.stringContaining('missing') });
    expect(await post('{"name":"x"}')).toMatchObject({ statusCode: 400, body: expect.stringContaining('not UTF-8') });
    expect(await post('eyJuYW1lIjoi/yJ9')).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('not UTF-8'),
    });
    expect(await post('eyJuYW1lIjoieCJ9')).toMatchObject({ statusCode: 201 });
    expect(await post('77u/eyJuYW1lIjoieCJ9')).toMatchObject({ statusCode: 201 });
    expect(await post('eyJuYW1lIjoieHgifQ==')).toMatchObject({ statusCode: 201 });
    expect(await post('eyJuYW1lIjoieHgifSA=')).toMatchObject({ statusCode: 201 });
  });
});

describe('an unhandled exception', () => {
  const failing = class {
    create() {}
    find(key: string) {
      throw key === 'text' ? 'thrown as text' : new Error('the store burns', { cause: new TypeError('a spark') });
    }
    async list() {
      throw new Error('later');
    }
  };

  it.each([
    [
      '/api/todo/1',
      '/api/todo/{id}',
      { name: 'Error', message: 'the store burns', cause: expect.objectContaining({ name: 'TypeError' }) },
    ],
    ['/api/todo/text', '/api/todo/{id}', { message: 'thrown as text' }],
    ['/api/todo', '/api/todo', { message: 'later' }],
  ])('on %s is answered 500 without detail, and logged whole', async (path, route, error) => {
    const lines = captureLog();
    jest.doMock('../../shared/todo/memory.js', () => ({ MemoryStore: failing }));
    const answer = await startService(undefined, { LOG_LEVEL: 'error' }).call('GET', path);
    expect(answer.status).toBe(500);
    expect(answer.headers['content-type']).toBe('application/problem+json');
    expect(answer.json).toEqual({
      type: 'about:blank',
      title: 'Internal Server Error',
      status: 500,
      requestId: expect.any(String),
    });
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'ERROR',
        requestId: answer.json.requestId,
        route,
        error: expect.objectContaining(error),
      }),
    ]);
  });

  it('leaves its stack in the log', async () => {
    const lines = captureLog();
    jest.doMock('../../shared/todo/memory.js', () => ({ MemoryStore: failing }));
    await startService(undefined, { LOG_LEVEL: 'error' }).call('GET', '/api/todo/1');
    expect(lines[0]).toHaveProperty('error.stack', expect.stringMatching(/the store burns\n +at .*/));
    expect(lines[0]).toHaveProperty('error.cause.stack', expect.stringMatching(/a spark\n +at .*/));
  });
});

describe('the log', () => {
  it('has one line for every request, with the route and never the path', async () => {
    const lines = captureLog();
    const service = startService(kinds[0], { LOG_LEVEL: 'info' });
    await service.call('GET', '/api/todo/secret');
    await service.call('POST', '/api/todo', { body: { name: 'x' } });
    await service.call('GET', '/nowhere');
    const shared = {
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      level: 'INFO',
      message: 'request',
      requestId: expect.stringMatching(/^7c2af7db/),
      duration: expect.any(Number),
    };
    expect(lines).toEqual([
      { ...shared, method: 'GET', route: '/api/todo/{id}', status: 404, coldStart: true },
      { ...shared, method: 'POST', route: '/api/todo', status: 201, coldStart: false },
      { ...shared, method: 'GET', status: 404, coldStart: false },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it.each(['warn', 'error', 'silent'])('at level %s has no line for a request', async (level) => {
    const lines = captureLog();
    await startService(undefined, { LOG_LEVEL: level }).call('GET', '/api/todo');
    expect(lines).toEqual([]);
  });
});
