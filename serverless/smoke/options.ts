import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import { Fault, shown } from './said.js';

export interface Expected {
  /** Without a slash at the end. */
  readonly url: string;
  readonly people: boolean;
  readonly signed: boolean;
  /** An origin of pages that may call. */
  readonly origin: string | undefined;
  /** The host to connect to, under the name in `url`; undefined for the one that DNS answers. */
  readonly connectTo: string | undefined;
  /** Whether documents and page may be those of another release than this checkout's. */
  readonly anyRelease: boolean;
  /** How long the stage may answer 5xx at first, in seconds. */
  readonly wait: number;
  /** Sent to the origin of `url` only, and never printed. */
  readonly token: string | undefined;
}

const USAGE =
  'Usage: npm run smoke -- URL [--people] [--origin ORIGIN] [--signed] [--any-release] [--wait SECONDS] [--connect-to HOST]';

const OPTIONS = {
  people: { type: 'boolean', default: false },
  signed: { type: 'boolean', default: false },
  'any-release': { type: 'boolean', default: false },
  origin: { type: 'string' },
  wait: { type: 'string', default: '60' },
  'connect-to': { type: 'string' },
} as const;

/**
 * Reads what is expected of a stage.
 *
 * @param words - The command's arguments.
 * @param environment - `SMOKE_TOKEN` is a token of a person who may sign in. npm would print an argument.
 * @throws Fault with what is wrong, and how to use the command.
 */
export function readOptions(words: readonly string[], environment: NodeJS.ProcessEnv): Expected {
  const { values, positionals } = parse(words);
  const { people, signed, origin, wait, 'connect-to': connectTo, 'any-release': anyRelease } = values;
  if (positionals.length !== 1) throw wrong(`It takes one URL; got ${positionals.length}.`);
  if (people && signed)
    throw wrong('--people and --signed exclude each other, because both need the field Authorization.');
  if (!/^\d{1,4}$/.test(wait)) throw wrong(`--wait takes seconds from 0 to 9999; got ${shown(wait)}.`);
  if (origin !== undefined && !isOrigin(origin))
    throw wrong(`--origin takes an origin like https://example.com; got ${shown(origin)}.`);
  const url = readUrl(positionals[0] as string);
  if (connectTo !== undefined && !/^[\w.:-]+$/.test(connectTo))
    throw wrong(`--connect-to takes the name or address of a host; got ${shown(connectTo)}.`);
  if (connectTo !== undefined && isIP(url.hostname.replace(/[[\]]/g, '')))
    throw wrong('--connect-to needs a name in the URL, which the host is asked for.');
  const token = environment.SMOKE_TOKEN?.trim() || undefined;
  if (token && !people) throw wrong('SMOKE_TOKEN is for stages where people sign in: add --people, or unset it.');
  if (token && !/^[\w.~+/-]+=*$/.test(token))
    throw wrong('SMOKE_TOKEN is not a bearer token: it has a blank, or another character that tokens do not have.');
  if (token && url.protocol === 'http:' && !isLoopback(url.hostname))
    throw wrong('SMOKE_TOKEN is sent over https only, because others could read it on the way.');
  return { url: url.href.replace(/\/$/, ''), people, signed, origin, connectTo, anyRelease, wait: Number(wait), token };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw wrong(`${(error as Error).message.split('. ')[0]}.`);
  }
}

/** Also takes the address of the page. */
function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
    throw wrong(`It takes a URL like https://example.com/live/swagger/ui; got ${shown(text)}.`);
  url.pathname = url.pathname.replace(/\/swagger(\/ui)?\/?$/i, '').replace(/\/+$/, '');
  return url;
}

const isOrigin = (text: string) => URL.canParse(text) && new URL(text).origin === text;

const isLoopback = (host: string) => host === 'localhost' || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);

const wrong = (reason: string) => new Fault(`${reason}\n${USAGE}`);
