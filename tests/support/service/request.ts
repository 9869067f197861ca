import type { Request } from '../../../shared/http/message.js';

/** A request as a test describes it. */
export interface Described {
  readonly method?: string;
  /** With its query. */
  readonly path?: string;
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Anything but a text is sent as JSON. */
  readonly body?: unknown;
  readonly isBase64Encoded?: boolean;
  readonly prefix?: string;
}

/** Makes a request, called `request-1`, as if a gateway had handed it over; by default a GET of the root. */
export function aRequest({ method = 'GET', path = '/', headers = {}, body, ...more }: Described = {}): Request {
  const [route = '', query = ''] = path.split('?');
  return {
    id: 'request-1',
    method,
    path: route,
    prefix: '',
    isBase64Encoded: false,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
    header: (name) => headers[name],
    query: (name) => new URLSearchParams(query).getAll(name).at(-1),
    ...more,
  };
}
