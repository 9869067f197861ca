import { HEADER_NAMES, type HeaderFields, type HeaderName, type Request } from '../http/request.js';

/** An event that the function was invoked with. None of its members can be relied on. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** What the events of all kinds have in common. Nothing is copied: what is not asked for is not looked at. */
export abstract class EventRequest implements Request {
  abstract readonly path: string;
  abstract readonly prefix: string;
  readonly method: string;
  protected readonly event: GatewayEvent;
  protected readonly context: GatewayEvent;
  #headers: HeaderFields | undefined;

  /**
   * @param event - The event.
   * @param method - The event's method.
   */
  constructor(event: GatewayEvent, method: string) {
    this.event = event;
    this.method = method;
    this.context = isObject(event.requestContext) ? event.requestContext : {};
  }

  get id(): string {
    return textOf(this.context.requestId);
  }

  get body(): string | undefined {
    return typeof this.event.body === 'string' ? this.event.body : undefined;
  }

  get isBase64Encoded(): boolean {
    return this.event.isBase64Encoded === true;
  }

  get headers(): HeaderFields {
    this.#headers ??= readHeaders(this.sentHeaders);
    return this.#headers;
  }

  /** The header fields by name, one value or several each; anything where a gateway has none. */
  protected get sentHeaders(): unknown {
    return this.event.headers;
  }

  /** Read from the query as it was sent: events of version 2.0 hold the parameters, too, but join those that repeat. */
  query(name: string): string | undefined {
    return new URLSearchParams(textOf(this.event.rawQueryString)).getAll(name).at(-1);
  }
}

/**
 * Whether a value is an object, for looking into events.
 *
 * @param value - Anything.
 * @returns True for objects and arrays.
 */
export function isObject(value: unknown): value is GatewayEvent {
  return typeof value === 'object' && value !== null;
}

/**
 * Takes what should be text from an event.
 *
 * @param value - Anything.
 * @returns The value when it is a string, otherwise an empty one.
 */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Reads the fields in lower case, as HTTP/2 has their names, and then those that a client spells otherwise. Written out,
 * for a loop over the names takes five times as long.
 */
function readHeaders(sent: unknown): HeaderFields {
  if (!isObject(sent)) return NO_HEADERS;
  const fields: { -readonly [Name in HeaderName]: string | undefined } = {
    accept: textIn(sent.accept),
    'accept-encoding': textIn(sent['accept-encoding']),
    'access-control-request-method': textIn(sent['access-control-request-method']),
    'content-type': textIn(sent['content-type']),
    'if-match': textIn(sent['if-match']),
    'if-none-match': textIn(sent['if-none-match']),
    origin: textIn(sent.origin),
    'sec-fetch-site': textIn(sent['sec-fetch-site']),
  };
  for (const key in sent) {
    const name = NAMES_BY_START[startOf(key)];
    if (name !== undefined && name !== key && name === key.toLowerCase()) fields[name] ??= textIn(sent[key]);
  }
  return fields;
}

/** A number that differs between all of our names, and rules out most others: lowering them all takes five times as long. */
function startOf(name: string): number {
  return (name.length << LETTER_BITS) | (name.charCodeAt(0) & LETTER);
}

const LETTER_BITS = 5;
/** The bits of an ASCII letter that are the same in both cases. */
const LETTER = 0x1f;
const NAMES_BY_START: HeaderName[] = [];
for (const name of HEADER_NAMES) NAMES_BY_START[startOf(name)] = name;

const NO_HEADERS = readHeaders({});

/** Several values are joined by commas (RFC 9110, section 5.3). */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 1 && typeof value[0] === 'string') return value[0];
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length > 0 ? texts.join(', ') : undefined;
}
