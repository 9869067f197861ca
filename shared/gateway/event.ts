import { HEADER_NAMES, type HeaderName, type Request } from '../http/request.js';

/** An event that the function was invoked with. None of its members can be relied on. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** What the events of all kinds have in common. Nothing is copied: what is not asked for is not looked at. */
export abstract class EventRequest implements Request {
  abstract readonly segments: readonly string[];
  abstract readonly prefix: string;
  readonly method: string;
  protected readonly event: GatewayEvent;
  protected readonly context: GatewayEvent;
  #fields: Fields | undefined;

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

  header(name: HeaderName): string | undefined {
    this.#fields ??= pickFields(this.headers);
    return this.#fields[name];
  }

  /** The header fields by name, one value or several each; anything where a gateway has none. */
  protected get headers(): unknown {
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

type Fields = Partial<Record<HeaderName, string>>;

/** Clients choose the letter case of names, and HTTP/2 has it low. All fields are picked in one go over the event's. */
function pickFields(headers: unknown): Fields {
  const fields: Fields = {};
  if (!isObject(headers)) return fields;
  for (const key in headers) {
    // Hardly any other name is as long and begins alike: lowering them all would cost more than the rest of a request.
    for (const name of NAMES_BY_LENGTH[key.length] ?? NO_NAMES) {
      if ((key.charCodeAt(0) | LOWER) !== name.charCodeAt(0) || key.toLowerCase() !== name) continue;
      fields[name] ??= textIn(headers[key]) as string;
    }
  }
  return fields;
}

const LOWER = 0x20;
const NO_NAMES: readonly HeaderName[] = [];
const NAMES_BY_LENGTH = Array.from({ length: 30 }, (_, length) =>
  HEADER_NAMES.filter((name) => name.length === length),
);

/** Several values are joined by commas (RFC 9110, section 5.3). */
function textIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 1 && typeof value[0] === 'string') return value[0];
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length > 0 ? texts.join(', ') : undefined;
}
