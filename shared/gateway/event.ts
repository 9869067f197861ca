import type { Request } from '../http/message.js';

/** An event that the function was invoked with. None of its members can be relied on. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** What events of all kinds have in common. Members are read when they are asked for, and nothing is copied. */
export abstract class EventRequest implements Request {
  abstract readonly prefix: string;
  abstract readonly gatewayCompresses: boolean;
  readonly #fields: unknown;

  /**
   * @param path - The path behind the prefix, percent-encoded.
   * @param awsRequestId - Lambda's name for the invocation, the request's id if the event has none.
   * @param fields - The header fields by name, each with one value or several. Anything else counts as none.
   */
  constructor(
    protected readonly event: GatewayEvent,
    readonly method: string,
    readonly path: string,
    private readonly awsRequestId = '',
    fields: unknown = event.headers,
  ) {
    this.#fields = fields;
  }

  protected get context(): GatewayEvent {
    return contextOf(this.event);
  }

  get id(): string {
    return textOf(this.context.requestId) || this.awsRequestId;
  }

  get body(): string | undefined {
    return typeof this.event.body === 'string' ? this.event.body : undefined;
  }

  get isBase64Encoded(): boolean {
    return this.event.isBase64Encoded === true;
  }

  /**
   * Most gateways pass names on as the client spelled them, so an event can have two spellings of one. Comparing lengths
   * first avoids converting most of them to lower case.
   */
  header(name: string): string | undefined {
    const fields = this.#fields;
    if (!isObject(fields)) return undefined;
    let found: string | undefined;
    for (const key in fields) {
      if (key.length !== name.length || key.toLowerCase() !== name) continue;
      const value = valuesIn(fields[key]);
      if (value !== undefined) found = found === undefined ? value : `${found}, ${value}`;
    }
    return found;
  }

  /** Read from the query as it was sent: events of version 2.0 also have the parameters, but join those that repeat. */
  query(name: string): string | undefined {
    const query = textOf(this.event.rawQueryString);
    return query === '' ? undefined : new URLSearchParams(query).getAll(name).at(-1);
  }
}

/** Says whether a value is an object or an array. */
export function isObject(value: unknown): value is GatewayEvent {
  return typeof value === 'object' && value !== null;
}

export function contextOf({ requestContext }: GatewayEvent): GatewayEvent {
  return isObject(requestContext) ? requestContext : NO_MEMBERS;
}

const NO_MEMBERS: GatewayEvent = {};

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
