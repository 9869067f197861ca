import type { Access } from '../shared/dynamodb/send.js';
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../shared/log/log.js';
import { isIssuer } from '../shared/openid/issuer.mjs';
import type { TokenPolicy } from '../shared/openid/policy.js';

export interface TableConfiguration extends Access {
  readonly name: string;
}

/** The settings, from environment variables. */
export interface Configuration {
  /** `CORS_ORIGINS`: the origins whose pages may call, or `*`; none when it is not set. */
  readonly corsOrigins: readonly string[];
  /** `LOG_LEVEL`: from `debug` to `silent`, `info` when it is not set. */
  readonly logLevel: LogLevel;
  /** Text for a person under the local emulator, which sets `IS_OFFLINE`; otherwise JSON. */
  readonly logFormat: LogFormat;
  /** `TABLE_NAME`: the table that keeps the collection; in memory when it is `none` or not set. */
  readonly table: TableConfiguration | undefined;
  /**
   * `TOKEN_ISSUER` and `TOKEN_AUDIENCE`: whose tokens callers need; none when neither is set. `LIST_BY`: who shares a list, nobody
   * when it is not set. `TOKEN_READ_SCOPE` and `TOKEN_WRITE_SCOPE`: the scopes that methods need, none when they are not set. All
   * of them take `none` for not set.
   */
  readonly signIn: TokenPolicy | undefined;
}

/**
 * Reads the configuration from environment variables, and fills in the defaults. A variable that is empty counts as not set.
 *
 * @throws Error that names the wrong variable, and says what it takes.
 */
export function readConfiguration(environment: Environment): Configuration {
  return {
    corsOrigins: readOrigins(environment.CORS_ORIGINS ?? ''),
    logLevel: readLogLevel(environment.LOG_LEVEL || 'info'),
    logFormat: environment.IS_OFFLINE ? 'text' : 'json',
    table: readTable(tableName(environment), environment),
    signIn: readSignIn(environment),
  };
}

/** Environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

function readOrigins(list: string): readonly string[] {
  if (list.trim() === '*') return ['*'];
  const origins = list
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = origins.find((origin) => !isOrigin(origin));
  if (wrong !== undefined) {
    throw new Error(
      `CORS_ORIGINS has "${wrong}": name origins like https://example.com, separated by commas, or * alone`,
    );
  }
  return origins;
}

/**
 * Browsers send an origin as URL spells it. A host name has at most 253 characters (RFC 1035, section 2.3.4), 267 with scheme
 * and port: a result has room for that many.
 */
function isOrigin(text: string): boolean {
  return text.length <= 267 && URL.canParse(text) && new URL(text).origin === text;
}

function readLogLevel(level: string): LogLevel {
  const known = LOG_LEVELS.find((candidate) => candidate === level);
  if (!known) throw new Error(`LOG_LEVEL is "${level}": it takes ${LOG_LEVELS.join(', ')}`);
  return known;
}

/**
 * Lambda changes a function's code and its variables one after the other, and a rollback brings the earlier ones back. So for
 * this one release, the former name counts where the new one is not set: otherwise writes would go to memory meanwhile.
 */
function tableName({ TABLE_NAME = '', TODO_TABLE = '' }: Environment): string {
  if (TABLE_NAME && TODO_TABLE && TABLE_NAME !== TODO_TABLE) {
    throw new Error(
      `TABLE_NAME is "${TABLE_NAME}", but TODO_TABLE, its former name, is "${TODO_TABLE}": set TABLE_NAME alone`,
    );
  }
  return TABLE_NAME || TODO_TABLE;
}

/** Lambda sets the region and the credentials, which last as long as the instance. */
function readTable(name: string, environment: Environment): TableConfiguration | undefined {
  if (name === '' || name === 'none') return undefined;
  if (!/^[\w.-]{3,255}$/.test(name)) {
    throw new Error(
      `TABLE_NAME is "${name}": it takes a table's name (3 to 255 of the characters a-z, A-Z, 0-9, _, - and .), or none`,
    );
  }
  const region = need(environment, 'AWS_REGION');
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  const endpoint = environment.AWS_ENDPOINT_URL_DYNAMODB || `https://dynamodb.${region}.${domain}`;
  if (!/^https?:/.test(endpoint) || !URL.canParse(endpoint)) {
    throw new Error(`AWS_ENDPOINT_URL_DYNAMODB is "${endpoint}": it takes a URL like http://localhost:8000`);
  }
  const credentials = {
    accessKeyId: need(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: need(environment, 'AWS_SECRET_ACCESS_KEY'),
    ...(environment.AWS_SESSION_TOKEN && { sessionToken: environment.AWS_SESSION_TOKEN }),
  };
  return { name, region, endpoint, credentials };
}

function readSignIn(environment: Environment): TokenPolicy | undefined {
  const setting = (name: string) => (environment[name] === 'none' ? undefined : environment[name] || undefined);
  const [issuer, audience] = ['TOKEN_ISSUER', 'TOKEN_AUDIENCE'].map(setting);
  const [listBy, readScope, writeScope] = ONLY_WITH_ISSUER.map(setting);
  if (!issuer && !audience) {
    const useless = ONLY_WITH_ISSUER.find(setting);
    if (useless)
      throw new Error(`${useless} is set, but nobody signs in: set TOKEN_ISSUER, too, or ${useless} to none`);
    return undefined;
  }
  if (!issuer || !audience) {
    throw new Error('TOKEN_ISSUER and TOKEN_AUDIENCE need each other: set both, or both to none');
  }
  if (!isIssuer(issuer)) {
    throw new Error(`TOKEN_ISSUER is "${issuer}": it takes the https URL of an OpenID Connect provider, or none`);
  }
  if (!/^[!-~]{1,512}$/.test(audience)) {
    throw new Error(
      `TOKEN_AUDIENCE is "${audience}": it takes what the tokens have in aud, up to 512 visible characters`,
    );
  }
  if (listBy && !/^[!-~]{1,255}$/.test(listBy)) {
    throw new Error(
      `LIST_BY is "${listBy}": it takes sub, all, or the name of a claim in up to 255 visible characters, or none`,
    );
  }
  const scopes = { TOKEN_READ_SCOPE: readScope, TOKEN_WRITE_SCOPE: writeScope };
  for (const [name, scope] of Object.entries(scopes)) {
    if (scope && !SCOPE.test(scope)) {
      throw new Error(
        `${name} is "${scope}": it takes one scope, of up to 255 visible characters without quotes and backslashes, or none`,
      );
    }
  }
  if (readScope && !writeScope) {
    throw new Error(
      'TOKEN_READ_SCOPE is set without TOKEN_WRITE_SCOPE: who may not read could write. Set both, which may be the same',
    );
  }
  if (listBy !== 'all' && !readTable(tableName(environment), environment)) {
    throw new Error('TABLE_NAME names no table: TOKEN_ISSUER needs one, unless LIST_BY is all');
  }
  return { issuer, audience, listBy, readScope, writeScope };
}

const ONLY_WITH_ISSUER = ['LIST_BY', 'TOKEN_READ_SCOPE', 'TOKEN_WRITE_SCOPE'];

/** RFC 6749, section 3.3. */
const SCOPE = /^[!#-[\]-~]{1,255}$/;

function need(environment: Environment, name: string): string {
  const value = environment[name];
  if (value) return value;
  throw new Error(`${name} is not set: TABLE_NAME needs it to reach the table`);
}
