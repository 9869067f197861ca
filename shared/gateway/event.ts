import type { Request } from '../http/message.js';

/** Any member may be missing or have another type. */
export type GatewayEvent = Readonly<Record<string, unknown>>;

/** Reads members on demand, so that nothing is copied. */
export abstract class EventRequest implements Request {
  abstract readonly prefix: string;
  abstract readonly gatewayCompresses: boolean;
  readonly #fields: unknown;

  /**
   * @param path - The path after the prefix, percent-encoded.
   * @param awsRequestId - For events without an id.
   * @param fields - Header fields by name, each with one value or an array. Anything else counts as none.
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

  /** An event can contain two spellings of a name. Comparing lengths first saves most conversions to lower case. */
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

  /** From the raw query, because events of version 2.0 join the values of a repeated parameter. */
  query(name: string): string | undefined {
    const query = textOf(this.event.rawQueryString);
    return query === '' ? undefined : new URLSearchParams(query).getAll(name).at(-1);
  }
}

/** Arrays count as objects. */
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

/** Joins several values by commas (RFC 9110, section 5.3). */
function valuesIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return undefined;
  if (value.length === 1 && typeof value[0] === 'string') return value[0];
  const texts = value.filter((item) => typeof item === 'string');
  return texts.length > 0 ? texts.join(', ') : undefined;
}
