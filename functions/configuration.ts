import { originOf } from '../shared/http/origins.js';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../shared/log/log.js';
import type { TokenPolicy } from '../shared/openid/policy.js';
import type { TableOptions } from '../shared/store/table.js';
import { type Environment, setting } from './environment.js';
import { readSignIn } from './sign-in.js';

/** The table, and how DynamoDB is reached. */
export type TableConfiguration = Pick<TableOptions, 'access' | 'table'>;

/** The settings, from environment variables. */
export interface Configuration {
  /** `CORS_ORIGINS`: the origins whose pages may call, or `*`; none when it is `none` or not set. */
  readonly corsOrigins: readonly string[];
  /** `LOG_LEVEL`: from `debug` to `silent`, `info` when it is not set. */
  readonly logLevel: LogLevel;
  /** Text for a person under the local emulator, which sets `IS_OFFLINE`; otherwise JSON. */
  readonly logFormat: LogFormat;
  /** `TABLE_NAME`: the table that keeps the collection; in memory when it is `none` or not set. */
  readonly table: TableConfiguration | undefined;
  /**
   * `TOKEN_ISSUER` and `TOKEN_AUDIENCE`: whose tokens callers need; none when neither is set. `LIST_BY`: who shares a list, each
   * has their own when it is not set. `TOKEN_READ_SCOPE` and `TOKEN_WRITE_SCOPE`: the scopes that methods need, none when they are not set.
   * `TOKEN_CLIENT`: the client id with which the page signs people in; without it, the page has no button. All of them take `none` for not set.
   */
  readonly signIn: TokenPolicy | undefined;
}

/**
 * Reads the configuration from environment variables, and fills in the defaults. A variable that is empty counts as not set.
 *
 * @throws Error that names each wrong variable, and says what it takes: a line for each. Its cause is the list of the lines.
 */
export function readConfiguration(environment: Environment): Configuration {
  const faults = [readOrigins, readLogLevel, readTable, readSignIn].flatMap((read) => {
    try {
      read(environment);
      return [];
    } catch (error) {
      return [(error as Error).message];
    }
  });
  if (faults.length > 0) throw new Error(faults.join('\n'), { cause: faults });
  return {
    corsOrigins: readOrigins(environment),
    logLevel: readLogLevel(environment),
    logFormat: environment.IS_OFFLINE ? 'text' : 'json',
    table: readTable(environment),
    signIn: readSignIn(environment),
  };
}

function readOrigins(environment: Environment): readonly string[] {
  const list = setting(environment, 'CORS_ORIGINS') ?? '';
  if (list.trim() === '*') return ['*'];
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) {
    throw new Error(
      `CORS_ORIGINS has "${wrong}": name whole origins like https://example.com or capacitor://localhost, separated by commas, or * alone, or none`,
    );
  }
  return origins;
}

/**
 * Browsers send an origin as URL spells it, and a web view that of its app, such as `capacitor://localhost`. A host name has at most 253
 * characters (RFC 1035, section 2.3.4), 267 with scheme and port: a result has room for that many.
 */
function isOrigin(text: string): boolean {
  if (text.length > 267 || originOf(text) !== text) return false;
  return /^https?:/.test(text)
    ? !text.includes('*')
    : /^(?!wss?:|ftp:|file:)[a-z\d+.-]+:\/\/[a-z\d._-]+(:\d+)?$/.test(text);
}

function readLogLevel({ LOG_LEVEL }: Environment): LogLevel {
  const level = LOG_LEVEL || 'info';
  const known = LOG_LEVELS.find((candidate) => candidate === level);
  if (!known) throw new Error(`LOG_LEVEL is "${level}": it takes ${LOG_LEVELS.join(', ')}`);
  return known;
}

/** Lambda sets the region and the credentials, which last as long as the instance. */
function readTable(environment: Environment): TableConfiguration | undefined {
  const table = setting(environment, 'TABLE_NAME');
  if (!table) return undefined;
  if (!/^[\w.-]{3,255}$/.test(table)) {
    throw new Error(
      `TABLE_NAME is "${table}": it takes a table's name (3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none`,
    );
  }
  const region = need(environment, 'AWS_REGION');
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB || `https://dynamodb.${region}.${domain}`;
  if (!isHost(endpoint)) {
    throw new Error(
      `AWS_ENDPOINT_URL_DYNAMODB is "${endpoint}": it takes a scheme, a host and a port, as in http://localhost:8000`,
    );
  }
  const credentials = {
    accessKeyId: need(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: need(environment, 'AWS_SECRET_ACCESS_KEY'),
    ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  };
  return { table, access: { region, endpoint, credentials } };
}

/** Whether a URL names a host and no more: a request to DynamoDB has the path `/`. */
function isHost(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, href, origin } = new URL(text);
  return /^https?:$/.test(protocol) && href === `${origin}/`;
}

function need(environment: Environment, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set: TABLE_NAME needs it to reach the table`);
}
