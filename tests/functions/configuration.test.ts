import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { loadHandler } from '../support/service/service.js';

const TABLE = {
  TODO_TABLE: 'todo.Items_1-a',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

describe('the configuration', () => {
  it.each(['', 'none'])('has no table unless one is named: "%s"', (TODO_TABLE) => {
    expect(readConfiguration({ TODO_TABLE }).table).toBeUndefined();
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
    [{ TODO_TABLE: 'x' }, 'TODO_TABLE is "x": it takes a table\'s name'],
    [{ ...TABLE, TODO_TABLE: 'a/bcd' }, 'TODO_TABLE is "a/bcd"'],
    [{ ...TABLE, TODO_TABLE: 'abc/d' }, 'TODO_TABLE is "abc/d"'],
    [{ ...TABLE, TODO_TABLE: 'a'.repeat(256) }, '(3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'localhost:8000' }, 'AWS_ENDPOINT_URL_DYNAMODB is "localhost:8000"'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'x-http://a' }, 'it takes a URL like http://localhost:8000'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'http://' }, 'AWS_ENDPOINT_URL_DYNAMODB is "http://"'],
    [{ ...TABLE, AWS_REGION: '' }, 'AWS_REGION is not set: TODO_TABLE needs it'],
    [{ ...TABLE, AWS_ACCESS_KEY_ID: '' }, 'AWS_ACCESS_KEY_ID is not set'],
    [{ ...TABLE, AWS_SECRET_ACCESS_KEY: '' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [{ LOG_LEVEL: 'INFO' }, 'LOG_LEVEL is "INFO": it takes debug, info, warn, error, silent'],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfiguration(environment)).toThrow(message);
  });

  it('is read at load', () => {
    expect(() => loadHandler({ LOG_LEVEL: 'INFO' })).toThrow('LOG_LEVEL is "INFO"');
  });
});
