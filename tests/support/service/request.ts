import type { Request } from '../../../shared/http/message.js';

/** A request as a test describes it. The path has the query, and a body that is no text is sent as JSON. */
export interface Described extends Partial<Omit<Request, 'body'>> {
  /** By name in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
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
