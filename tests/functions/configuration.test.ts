import { describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../functions/configuration.js';
import { PARAMETERS, type Parameter } from '../../serverless/parameters/parameters.js';
import { VARIABLES, type Values } from '../support/settings.js';

const TABLE = {
  TABLE_NAME: 'todo.Items_1-a',
  AWS_REGION: 'eu-central-1',
  AWS_ACCESS_KEY_ID: 'id',
  AWS_SECRET_ACCESS_KEY: 'secret',
};

const SIGN_IN = { ...TABLE, TOKEN_ISSUER: 'https://login.example.com', TOKEN_AUDIENCE: 'todo' };

const LONGEST_ORIGIN = `https://${'a'.repeat(259)}`;

describe('the configuration', () => {
  it.each([
    {},
    { CORS_ORIGINS: '', LOG_LEVEL: '', TABLE_NAME: '', TOKEN_ISSUER: '', TOKEN_AUDIENCE: '' },
    { TABLE_NAME: 'none', TOKEN_ISSUER: 'none', TOKEN_AUDIENCE: 'none', LIST_BY: 'none', TOKEN_WRITE_SCOPE: 'none' },
  ])('has defaults for %j', (environment) => {
    expect(readConfiguration(environment)).toEqual({ corsOrigins: [], logLevel: 'info', logFormat: 'json' });
  });

  it('takes the table and its credentials from the environment', () => {
    const credentials = { accessKeyId: 'id', secretAccessKey: 'secret' };
    const access = { region: 'eu-central-1', credentials };
    const endpoint = 'https://dynamodb.eu-central-1.amazonaws.com';
    expect(readConfiguration(TABLE).table).toEqual({ table: 'todo.Items_1-a', access: { ...access, endpoint } });
    const set = { AWS_SESSION_TOKEN: 'token', AWS_ENDPOINT_URL_DYNAMODB: 'http://localhost:8000' };
    expect(readConfiguration({ ...TABLE, ...set }).table?.access).toEqual({
      ...access,
      credentials: { ...credentials, sessionToken: 'token' },
      endpoint: 'http://localhost:8000',
    });
  });

  it.each([
    ['cn-north-1', 'amazonaws.com.cn'],
    ['cn-northwest-1', 'amazonaws.com.cn'],
    ['us-gov-east-1', 'amazonaws.com'],
    ['il-central-1', 'amazonaws.com'],
  ])('reaches DynamoDB in %s under %s, also if the variable for another endpoint is empty', (region, domain) => {
    for (const set of [{}, { AWS_ENDPOINT_URL_DYNAMODB: '' }]) {
      const { table } = readConfiguration({ ...TABLE, ...set, AWS_REGION: region });
      expect(table?.access).toMatchObject({ region, endpoint: `https://dynamodb.${region}.${domain}` });
    }
  });

  it.each([
    ['https://a.example.com, http://localhost:8080,', ['https://a.example.com', 'http://localhost:8080']],
    [' * ', ['*']],
    ['none', []],
    [LONGEST_ORIGIN, [LONGEST_ORIGIN]],
  ])('takes the origins %j', (CORS_ORIGINS, corsOrigins) => {
    expect(readConfiguration({ CORS_ORIGINS })).toMatchObject({ corsOrigins });
  });

  it.each(['debug', 'info', 'warn', 'error', 'silent'])('takes the log level %s', (level) => {
    expect(readConfiguration({ LOG_LEVEL: level }).logLevel).toBe(level);
  });

  it('logs as text under the local emulator, which sets IS_OFFLINE', () => {
    expect(readConfiguration({ IS_OFFLINE: 'true' }).logFormat).toBe('text');
  });

  it.each(['https://login.example.com/', 'http://localhost:8080'])('takes the issuer %s as it is', (issuer) => {
    const { signIn } = readConfiguration({ ...SIGN_IN, TOKEN_ISSUER: issuer });
    expect(signIn).toEqual({ issuer, audience: 'todo' });
  });

  it.each<[object, object]>([
    [{ LIST_BY: 'sub' }, { listBy: 'sub' }],
    [{ LIST_BY: 'all', TABLE_NAME: '' }, { listBy: 'all' }],
    [{ LIST_BY: 'https://example.com/team' }, { listBy: 'https://example.com/team' }],
    [{ LIST_BY: 'a'.repeat(255) }, { listBy: 'a'.repeat(255) }],
    [{ LIST_BY: 'none', TOKEN_READ_SCOPE: 'none', TOKEN_WRITE_SCOPE: 'none' }, {}],
    [{ LIST_BY: '', TOKEN_READ_SCOPE: '', TOKEN_WRITE_SCOPE: '' }, {}],
    [{ TOKEN_WRITE_SCOPE: 'todo/write' }, { writeScope: 'todo/write' }],
    [
      { TOKEN_READ_SCOPE: 'a', TOKEN_WRITE_SCOPE: 'a' },
      { readScope: 'a', writeScope: 'a' },
    ],
    [{ TOKEN_WRITE_SCOPE: "!#[]~'" }, { writeScope: "!#[]~'" }],
    [{ TOKEN_CLIENT: '!~"' }, { client: '!~"' }],
    [{ TOKEN_CLIENT: 'none' }, {}],
  ])('takes %j of those who sign in', (set, taken) => {
    const { signIn } = readConfiguration({ ...SIGN_IN, ...set });
    expect(signIn).toEqual({ issuer: SIGN_IN.TOKEN_ISSUER, audience: 'todo', ...taken });
  });

  /** The variable of the function that has the value of a stage's parameter. */
  const variableOf = (name: string) => (PARAMETERS as Readonly<Record<string, Parameter>>)[name]?.variable ?? name;

  it.each<[string, Values]>(Object.entries(VARIABLES))(
    'agrees with the parameter %s of a stage on what it takes, and names what it does not take',
    (name, { valid, wrong, beside = {} }) => {
      const others = Object.entries(beside).map(([name, value]) => [variableOf(name), value]);
      const environment = (value: string) => ({ ...TABLE, ...Object.fromEntries(others), [variableOf(name)]: value });
      for (const value of valid) expect(() => readConfiguration(environment(value))).not.toThrow();
      for (const value of wrong) {
        const { message } = thrownBy(() => readConfiguration(environment(value)));
        expect([value, message]).toEqual([value, expect.stringMatching(`^${variableOf(name)} (is|has|need)[^\n]*$`)]);
      }
    },
  );

  type Wrong = [environment: Record<string, string>, message: string];

  it.each<Wrong>([
    [{ CORS_ORIGINS: 'https://b.example.com,https://a.example.com/' }, 'CORS_ORIGINS has "https://a.example.com/"'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'x-http://a' }, 'AWS_ENDPOINT_URL_DYNAMODB is "x-http://a"'],
    [{ ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: 'http://' }, 'AWS_ENDPOINT_URL_DYNAMODB is "http://"'],
    ...['http://a/path', 'http://a/?b', 'http://a/#b', 'http://b:c@a', 'https://a:8443//'].map(
      (url): Wrong => [
        { ...TABLE, AWS_ENDPOINT_URL_DYNAMODB: url },
        `AWS_ENDPOINT_URL_DYNAMODB is "${url}": it takes a scheme, a host and a port, as in http://localhost:8000`,
      ],
    ),
    [{ ...TABLE, AWS_REGION: '' }, 'AWS_REGION is not set'],
    [{ ...TABLE, AWS_ACCESS_KEY_ID: '' }, 'AWS_ACCESS_KEY_ID is not set'],
    [{ ...TABLE, AWS_SECRET_ACCESS_KEY: '' }, 'AWS_SECRET_ACCESS_KEY is not set'],
    [{ ...SIGN_IN, TOKEN_ISSUER: 'none' }, 'TOKEN_ISSUER and TOKEN_AUDIENCE'],
    [{ ...SIGN_IN, TOKEN_AUDIENCE: '' }, 'TOKEN_ISSUER and TOKEN_AUDIENCE'],
    [{ ...SIGN_IN, TABLE_NAME: 'none' }, 'TABLE_NAME names no table'],
    [{ ...SIGN_IN, TABLE_NAME: 'none', LIST_BY: 'org_id' }, 'TABLE_NAME names no table'],
    [{ LIST_BY: 'all' }, 'LIST_BY is set'],
    [{ TOKEN_READ_SCOPE: 'a' }, 'TOKEN_READ_SCOPE is set'],
    [{ TOKEN_ISSUER: 'none', TOKEN_WRITE_SCOPE: 'a' }, 'TOKEN_WRITE_SCOPE is set'],
    [{ TOKEN_CLIENT: 'page' }, 'TOKEN_CLIENT is set'],
    [{ ...SIGN_IN, TOKEN_READ_SCOPE: 'a', TOKEN_CLIENT: 'page' }, 'TOKEN_READ_SCOPE needs TOKEN_WRITE_SCOPE'],
  ])('rejects %j', (environment, message) => {
    expect(() => readConfiguration(environment)).toThrow(message);
  });

  it('names all that is wrong at once, each on a line', () => {
    const wrong = { ...SIGN_IN, TABLE_NAME: 'ab', CORS_ORIGINS: 'a', LOG_LEVEL: 'loud', TOKEN_AUDIENCE: '' };
    const { message } = thrownBy(() => readConfiguration(wrong));
    const lines = [/^CORS_ORIGINS has/, /^LOG_LEVEL is/, /^TABLE_NAME is/, /^TOKEN_ISSUER and TOKEN_AUDIENCE need/];
    expect(message.split('\n')).toEqual(lines.map((line) => expect.stringMatching(line)));
  });
});

function thrownBy(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('It has not thrown');
}
