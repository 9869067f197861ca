import type { Request } from '../http/request.js';

/** An event that the function was invoked with. None of its members can be relied on. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** What the events of all kinds have in common. Nothing is copied: what is not asked for is not looked at. */
export abstract class EventRequest implements Request {
  abstract readonly segments: readonly string[];
  abstract readonly prefix: string;
  readonly method: string;
  protected readonly event: GatewayEvent;
  protected readonly context: GatewayEvent;

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

  header(name: string): string | undefined {
    return findHeader(this.event.headers, name);
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
 * Finds a header field whatever the letter case of its name: clients choose it, and HTTP/2 has it low.
 *
 * @param headers - By name, one value or several each; null where a gateway has none.
 * @param name - In lower case.
 * @returns The value, several joined by commas; undefined when there is none.
 */
export function findHeader(headers: unknown, name: string): string | undefined {
  if (!isObject(headers)) return undefined;
  for (const key in headers) {
    if (key.length !== name.length || key.toLowerCase() !== name) continue;
    const value = headers[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join(', ');
  }
  return undefined;
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
