import { isUnavailable } from '../shared/dynamodb/unavailable.js';
import { describeEvent, readEvent, writeResult } from '../shared/gateway/gateway.js';
import { createCors } from '../shared/http/cors.js';
import { createCsrfProtection } from '../shared/http/cross-site.js';
import type { Request, Response } from '../shared/http/message.js';
import { problemResponse } from '../shared/http/problem.js';
import { describeError, openLog } from '../shared/log/log.js';
import { createDispatcher } from '../shared/routing/dispatcher.js';
import { configuration } from './configuration.js';
import { routes } from './routes.js';

const dispatch = createDispatcher(routes, createCsrfProtection(configuration.corsOrigins));
const cors = createCors(configuration.corsOrigins);
const log = openLog(configuration.logLevel, configuration.logFormat);
let coldStart = true;

/**
 * Answers one invocation of the Lambda function. It has no third parameter: with one, the runtime would expect a callback,
 * and reject the handler.
 *
 * @param event - What the function was invoked with; a gateway's event, or anything.
 * @param context - What the runtime says about the invocation.
 * @returns The result, valid for the gateway that the event came from. It never throws.
 */
export async function handler(event: unknown, context: Partial<Invocation> = {}): Promise<unknown> {
  const started = log.info && process.hrtime();
  const request = readEvent(event);
  if (!request) return writeResult(reject(event));
  const { template, response: answer } = dispatch(request);
  let response: Response;
  try {
    response = await answer;
  } catch (error) {
    response = await fail(request, template, error);
  }
  log.info?.('request', {
    requestId: request.id,
    awsRequestId: context.awsRequestId,
    traceId: context.xRayTraceId,
    method: request.method,
    route: template,
    status: response.status,
    duration: millisecondsSince(started),
    coldStart,
  });
  coldStart = false;
  return writeResult(cors(request, request.method === 'HEAD' ? withoutContent(response) : response));
}

/** The parts of the runtime's context that the log has. */
interface Invocation {
  readonly awsRequestId: string;
  /** Undefined if tracing is off. */
  readonly xRayTraceId: string;
}

/** The caller gets no details of an error that an operation throws; the log has all of it. */
async function fail(request: Request, template: string | undefined, error: unknown): Promise<Response> {
  const message = isUnavailable(error) ? 'the collection is unavailable' : 'unhandled exception';
  log.error?.(message, { requestId: request.id, route: template, error: await describeError(error) });
  if (!isUnavailable(error)) return problemResponse(request, 'failed');
  const headers = { 'Retry-After': String(error.retryAfter) };
  return problemResponse(request, error.applied === false ? 'unavailable' : 'maybe applied', { headers });
}

/** No answer to HEAD has content, whatever its status (rule 4). */
function withoutContent({ status, headers }: Response): Response {
  return { status, headers };
}

/** Precise to the microsecond. performance.now would add 0.6 ms to a cold start. */
function millisecondsSince(started: [number, number] | undefined): number {
  const [seconds, nanoseconds] = process.hrtime(started);
  return (seconds * 1_000_000 + Math.round(nanoseconds / 1_000)) / 1_000;
}

/** Answers instead of throwing, so that somebody who tries the function in AWS's console sees which events it takes. */
function reject(event: unknown): Response {
  const received = describeEvent(event);
  log.error?.('unknown kind of event', { received });
  return problemResponse({ id: '' }, 'unknown event', { reason: `The function was invoked with ${received}.` });
}
