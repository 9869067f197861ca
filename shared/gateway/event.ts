import type { Request } from '../http/request.js';

/** An event that the function was invoked with. None of its members can be relied on. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** What the events of all kinds have in common. Nothing is copied: what is not asked for is not looked at. */
export abstract class EventRequest implements Request {
  abstract readonly path: string;
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

  /** Most gateways hand names over as the client spelled them. Comparing lengths first spares lowering most of them. */
  header(name: string): string | undefined {
    const { sentHeaders } = this;
    if (!isObject(sentHeaders)) return undefined;
    const sent = valuesIn(sentHeaders[name]);
    if (sent !== undefined) return sent;
    for (const key in sentHeaders) {
      if (key.length === name.length && key.toLowerCase() === name) return valuesIn(sentHeaders[key]);
    }
    return undefined;
  }

  /** The header fields by name, one value or several each; anything where a gateway has none. */
  protected get sentHeaders(): unknown {
    return this.event.headers;
  }

  /** Read from the query as it was sent: events of version 2.0 hold the parameters, too, but join those that repeat. */
  query(name: string): string | undefined {
    const query = textOf(this.event.rawQueryString);
    return query === '' ? undefined : new URLSearchParams(query).getAll(name).at(-1);
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

/** Several values are joined by commas (RFC 9110, section 5.3). */
function valuesIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 1 && typeof value[0] === 'string') return value[0];
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length > 0 ? texts.join(', ') : undefined;
}
