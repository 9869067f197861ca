import { LOG_LEVELS, type LogLevel } from '../shared/log.js';

/** What the environment decides. */
export interface Configuration {
  /** `CORS_ORIGINS`: the origins whose pages may call, or `*`; none when it is not set. */
  readonly corsOrigins: readonly string[];
  /** `LOG_LEVEL`: from `debug` to `silent`, `info` when it is not set. */
  readonly logLevel: LogLevel;
}

/** The environment of this instance, read once when the code is loaded. */
export const configuration = readConfiguration(process.env);

/**
 * Reads the configuration. A variable that is empty counts as not set.
 *
 * @param environment - The environment variables by name.
 * @returns The configuration, its defaults filled in.
 * @throws Error naming the variable that is wrong, and what it takes.
 */
export function readConfiguration(environment: Readonly<Record<string, string | undefined>>): Configuration {
  return {
    corsOrigins: readOrigins(environment.CORS_ORIGINS ?? ''),
    logLevel: readLogLevel(environment.LOG_LEVEL || 'info'),
  };
}

function readOrigins(list: string): readonly string[] {
  const origins = list.split(',').map((origin) => origin.trim());
  const wrong = origins.find((origin) => !['', '*'].includes(origin) && !isOrigin(origin));
  if (wrong !== undefined) {
    throw new Error(`CORS_ORIGINS has "${wrong}": name origins like https://example.com, separated by commas, or *`);
  }
  return origins.filter((origin) => origin !== '');
}

/**
 * Browsers send an origin in just the one spelling that URL gives it. The list's response has room for one with a host's
 * name of 253 characters, the longest there is (RFC 1035, section 2.3.4), and a port.
 */
function isOrigin(text: string): boolean {
  return text.length <= 267 && URL.canParse(text) && new URL(text).origin === text;
}

function readLogLevel(level: string): LogLevel {
  const known = LOG_LEVELS.find((candidate) => candidate === level);
  if (!known) throw new Error(`LOG_LEVEL is "${level}": it takes ${LOG_LEVELS.join(', ')}`);
  return known;
}
