import { afterAll, describe, expect, it, jest } from '@jest/globals';
import type { handler } from '../../functions/api.js';
import { readConfiguration } from '../../functions/configuration.js';
import { environmentOf, startTables } from '../support/dynamodb/tables.js';
import { COLLECTION, EXAMPLE } from '../support/service/documented.js';

const TABLE = {
  TABLE_NAME: 'todo.Items_1-a',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

const SIGN_IN = { ...TABLE, TOKEN_ISSUER: 'https://login.example.com', TOKEN_AUDIENCE: 'todo' };

describe('the configuration', () => {
  it.each(['', 'none'])('has no table unless one is named: "%s"', (TABLE_NAME) => {
    expect(readConfiguration({ TABLE_NAME }).table).toBeUndefined();
  });

  it.each([
    ['the environment of the previous release', { TODO_TABLE: 'items' }],
    ['the environment of this release, which has both names', { TABLE_NAME: 'items', TODO_TABLE: 'items' }],
  ])('finds the table in %s', (_name, names) => {
    expect(readConfiguration({ ...TABLE, TABLE_NAME: undefined, ...names }).table?.name).toBe('items');
  });

  it("takes the table's region and credentials from Lambda's environment", () => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const table = { name: 'todo.Items_1-a', region: 'eu-central-1', credentials };
    const endpoint = 'https://dynamodb.eu-central-1.amazonaws.com';
    expect(readConfiguration(TABLE).table).toEqual({ ...table, endpoint });
    const environment = { ...TABLE, AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' };
    expect(readConfiguration(environment).table).toEqual({
      ...table,
      credentials: { ...credentials, sessionToken: 'token' },
      endpoint: 'http://localhost:8000',
    });
  });

  it('reaches DynamoDB under another domain in China', () => {
    const { table } = readConfiguration({ ...TABLE, AWS_REGION: 'cn-north-1' });
    expect(table?.endpoint).toBe('https://dynamodb.cn-north-1.amazonaws.com.cn');
  });

  it.each([{}, { CORS_ORIGINS: '', LOG_LEVEL: '' }])('has defaults for %j', (environment) => {
    expect(readConfiguration(environment)).toEqual({ corsOrigins: [], logLevel: 'info', logFormat: 'json' });
  });

  it('takes origins separated by commas', () => {
    const { corsOrigins } = readConfiguration({ CORS_ORIGINS: 'https://a.example.com, http://localhost:8080,' });
    expect(corsOrigins).toEqual(['https://a.example.com', 'http://localhost:8080']);
  });

  it.each(['*', ' * '])('takes %j for all origins', (list) => {
    expect(readConfiguration({ CORS_ORIGINS: list }).corsOrigins).toEqual(['*']);
  });

  it('takes the longest origin that there can be', () => {
    const longest = `https://${'a'.repeat(259)}`;
    expect(readConfiguration({ CORS_ORIGINS: longest }).corsOrigins).toEqual([longest]);
  });

  it('logs as text under the local emulator, which sets IS_OFFLINE', () => {
    expect(readConfiguration({ IS_OFFLINE: 'true' }).logFormat).toBe('text');
  });

  it.each([{}, { TOKEN_ISSUER: 'none' }, { TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' }])(
    'asks for no tokens with %j',
    (environment) => expect(readConfiguration({ ...TABLE, ...environment }).signIn).toBeUndefined(),
  );

  it('takes the issuer letter by letter, and one on this machine without https', () => {
    for (const issuer of ['https://login.example.com/', 'http://localhost:8080'])
      expect(readConfiguration({ ...TABLE, TOKEN_ISSUER: issuer, TOKEN_AUDIENCE: 'todo' }).signIn).toEqual({
        issuer,
        audience: 'todo',
      });
  });

  it.each(['debug', 'info', 'warn', 'error', 'silent'])('takes the log level %s', (level) => {
    expect(readConfiguration({ LOG_LEVEL: level }).logLevel).toBe(level);
  });

  it.each([
    [{ CORS_ORIGINS: 'https://a.example.com/' }, 'CORS_ORIGINS has "https://a.example.com/": name origins like'],
    [{ CORS_ORIGINS: 'https://b.example.com,example' }, 'CORS_ORIGINS has "example"'],
    [{ CORS_ORIGINS: `https://${'a'.repeat(260)}` }, 'CORS_ORIGINS has "https://aaa'],
    [
      { CORS_ORIGINS: 'http://a.example.com, *' },
      'CORS_ORIGINS has "*": name origins like https://example.com, separated by commas, or * alone',
    ],
    [{ CORS_ORIGINS: 'null' }, 'CORS_ORIGINS has "null"'],
    [{ TABLE_NAME: 'x' }, 'TABLE_NAME is "x": it takes a table\'s name'],
    [{ ...TABLE, TABLE_NAME: 'a/bcd' }, 'TABLE_NAME is "a/bcd"'],
    [{ ...TABLE, TABLE_NAME: 'abc/d' }, 'TABLE_NAME is "abc/d"'],
    [{ ...TABLE, TABLE_NAME: 'a'.repeat(256) }, '(3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none'],
    [
      { ...TABLE, TABLE_NAME: 'new-items', TODO_TABLE: 'old-items' },
      'TABLE_NAME is "new-items", but TODO_TABLE, its former name, is "old-items": set TABLE_NAME alone',
    ],
    [{ ...TABLE, TABLE_NAME: 'none', TODO_TABLE: 'items' }, 'TABLE_NAME is "none", but TODO_TABLE'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'localhost:8000' }, 'AWS_ENDPOINT_URL_DYNAMODB is "localhost:8000"'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'x-http://a' }, 'it takes a URL like http://localhost:8000'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'http://' }, 'AWS_ENDPOINT_URL_DYNAMODB is "http://"'],
    [{ ...TABLE, AWS_REGION: '' }, 'AWS_REGION is not set: TABLE_NAME needs it'],
    [{ ...TABLE, AWS_ACCESS_KEY_ID: '' }, 'AWS_ACCESS_KEY_ID is not set'],
    [{ ...TABLE, AWS_SECRET_ACCESS_KEY: '' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [
      { ...SIGN_IN, TOKEN_ISSUER: 'http://login.example.com' },
      'TOKEN_ISSUER is "http://login.example.com": it takes the',
    ],
    [
      { ...SIGN_IN, TOKEN_ISSUER: 'https://login.example.com?a' },
      'it takes the https URL of an OpenID Connect provider',
    ],
    [{ ...SIGN_IN, TOKEN_ISSUER: '' }, 'TOKEN_ISSUER and TOKEN_AUDIENCE need each other'],
    [{ ...SIGN_IN, TOKEN_ISSUER: 'none' }, 'TOKEN_ISSUER and TOKEN_AUDIENCE need each other'],
    [{ ...SIGN_IN, TOKEN_AUDIENCE: '' }, 'set both, or TOKEN_ISSUER to none alone'],
    [{ ...SIGN_IN, TOKEN_AUDIENCE: 'a b' }, 'TOKEN_AUDIENCE is "a b": it takes'],
    [{ ...SIGN_IN, TABLE_NAME: '' }, 'TABLE_NAME names no table: TOKEN_ISSUER needs one'],
    [{ ...SIGN_IN, TABLE_NAME: 'none' }, 'TABLE_NAME names no table'],
    [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL is "INFO": it takes debug, info, warn, error, silent'],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfiguration(environment)).toThrow(message);
  });
});

describe('functions/api.ts', () => {
  const tables = startTables();

  afterAll(async () => (await tables).stop());

  /** Loads it as a new instance would, and returns the function that creates an item, or lists them. */
  function load(environment: Readonly<Record<string, string>>) {
    const before = process.env;
    process.env = { ...before, LOG_LEVEL: 'silent', ...environment };
    let handle = (() => undefined) as unknown as typeof handler;
    try {
      jest.isolateModules(() => {
        handle = require('../../functions/api.js').handler;
      });
    } finally {
      process.env = before;
    }
    return async (httpMethod: 'GET' | 'POST') => {
      const event = { httpMethod, path: COLLECTION, body: JSON.stringify(EXAMPLE) };
      return JSON.parse(((await handle(event)) as { body: string }).body);
    };
  }

  it('rejects a wrong setting when it is loaded', () => {
    expect(() => load({ LOG_LEVEL: 'INFO' })).toThrow('LOG_LEVEL is "INFO"');
  });

  it('keeps items in memory unless a table is named, each instance its own', async () => {
    const [one, other] = [load({}), load({})];
    const created = await one('POST');
    expect(await one('GET')).toContainEqual(created);
    expect(await other('GET')).not.toContainEqual(created);
  });

  it('keeps items in the table that is named, for all instances', async () => {
    const environment = environmentOf(await (await tables).create());
    const [one, other] = [load(environment), load(environment)];
    const created = await one('POST');
    expect(await other('GET')).toContainEqual(created);
  });

  it('asks for a token if an issuer is named', async () => {
    const call = load({ ...SIGN_IN, TOKEN_ISSUER: 'http://127.0.0.1:1' });
    expect(await call('GET')).toMatchObject({ status: 401 });
  });
});
