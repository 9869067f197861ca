import { originOf } from '../shared/http/origins.js';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../shared/log/log.js';
import type { TokenPolicy } from '../shared/openid/policy.js';
import type { TableOptions } from '../shared/store/table.js';
import { type Environment, setting } from './environment.js';
import { readSignIn } from './sign-in.js';

export type TableConfiguration = Pick<TableOptions, 'access' | 'table'>;

export interface Configuration {
  /** `CORS_ORIGINS`: the origins of pages that may call, or `*` for all. */
  readonly corsOrigins: readonly string[];
  /** `LOG_LEVEL`: `info` by default. */
  readonly logLevel: LogLevel;
  /** Text under the local emulator, which sets `IS_OFFLINE`. */
  readonly logFormat: LogFormat;
  /** `TABLE_NAME`; in memory when undefined. */
  readonly table: TableConfiguration | undefined;
  /**
   * `TOKEN_ISSUER`, `TOKEN_AUDIENCE`, `LIST_BY`, `TOKEN_READ_SCOPE`, `TOKEN_WRITE_SCOPE` and `TOKEN_CLIENT`; undefined
   * without sign-in.
   */
  readonly signIn: TokenPolicy | undefined;
}

/**
 * Reads the configuration from environment variables, and fills in the defaults. An empty variable counts as
 * not set.
 *
 * @throws Error with a line for each wrong variable, which names what it takes. Its cause is the list of the lines.
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
 * Accepts an origin as browsers send it, or as the web view of an app does, for example `capacitor://localhost`. A host
 * name has at most 253 characters (RFC 1035, section 2.3.4), 267 with scheme and port.
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

/** A request to DynamoDB has the path `/`, so its URL must have no other. */
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
