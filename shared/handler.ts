import { isUnavailable } from './dynamodb/unavailable.js';
import { describeEvent, readEvent, writeResult } from './gateway/gateway.js';
import type { Request, Response } from './http/message.js';
import { createCors } from './http/origins.js';
import { type ProblemCode, problemResponse } from './http/problem.js';
import { describeError } from './log.js';
import { createDispatcher, type DispatcherOptions, type Trace } from './routing/dispatcher.js';

/** The members of Lambda's context that are logged. */
export interface Invocation {
  readonly awsRequestId: string;
  readonly xRayTraceId: string;
}

/**
 * A third parameter would make the runtime expect a callback, which it rejects.
 *
 * @param event - A gateway's event, or anything else.
 * @returns The result for that gateway. It never rejects.
 */
export type Handler = (event: unknown, invocation?: Partial<Invocation>) => Promise<unknown>;

/**
 * Creates the Lambda function of a service. What operations throw is logged, and the caller gets no details.
 *
 * @throws Error if a route or a resource is wrongly declared.
 */
export function createHandler(options: DispatcherOptions): Handler {
  const dispatch = createDispatcher(options);
  const cors = createCors(options.corsOrigins, options.authenticate !== undefined);
  let coldStart = true;

  return async (event, { awsRequestId, xRayTraceId } = {}) => {
    // Loading `performance.now` would take up to a millisecond of a cold start.
    const started = process.uptime();
    const request = readEvent(event, awsRequestId);
    if (!request) {
      const received = describeEvent(event);
      console.warn({ event: 'unknown kind of event', received });
      return writeResult(unknownEvent(awsRequestId, received));
    }
    const trace: Trace = {};
    let response: Response;
    try {
      response = await dispatch(request, trace);
    } catch (error) {
      console.error({
        event: isUnavailable(error) ? 'the collection is unavailable' : 'unhandled exception',
        requestId: request.id,
        route: trace.template,
        caller: trace.caller,
        error: describeError(error),
      });
      response = failure(request, error);
    }
    console.info({
      event: 'request',
      requestId: request.id,
      traceId: xRayTraceId,
      method: request.method,
      route: trace.template,
      key: response.key,
      status: response.status,
      code: response.code,
      refusal: response.headers['WWW-Authenticate'],
      caller: trace.caller,
      duration: Math.round((process.uptime() - started) * 1_000),
      coldStart,
    });
    coldStart = false;
    const varied = trace.signIn ? variedByToken(response) : response;
    const answered = request.method === 'HEAD' ? withoutContent(varied) : varied;
    return writeResult(cors(request, answered));
  };
}

/** The answers to what an operation of this method throws. */
export function failureProblems(method: string): readonly ProblemCode[] {
  return method === 'GET' ? ['failed', 'unavailable'] : ['failed', 'unavailable', 'maybe-applied'];
}

function unknownEvent(awsRequestId: string | undefined, received: string): Response {
  const reason = `The function was invoked with ${received}.`;
  return problemResponse({ id: awsRequestId ?? '' }, 'unknown-event', { reason });
}

function failure(request: Request, error: unknown): Response {
  if (!isUnavailable(error)) return problemResponse(request, 'failed');
  const headers = { 'Retry-After': String(error.retryAfter) };
  return problemResponse(request, error.applied === false ? 'unavailable' : 'maybe-applied', { headers });
}

/** So a cache never answers with a response to another token (RFC 9111, section 4.1). */
function variedByToken({ headers, ...response }: Response): Response {
  const Vary = [headers.Vary, 'Authorization'].filter(Boolean).join(', ');
  return { ...response, headers: { ...headers, Vary } };
}

/** No answer to HEAD has content, whatever its status. */
function withoutContent({ status, headers }: Response): Response {
  return { status, headers };
}
