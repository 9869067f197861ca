import { describeEvent, readEvent, writeResult } from '../shared/gateway/gateway.js';
import { createCors } from '../shared/http/cors.js';
import { createGuard } from '../shared/http/cross-site.js';
import { createDispatcher } from '../shared/http/dispatcher.js';
import { problem } from '../shared/http/problem.js';
import type { Request } from '../shared/http/request.js';
import type { Response } from '../shared/http/response.js';
import { isUnavailable, unavailable } from '../shared/http/unavailable.js';
import { describeError, openLog } from '../shared/log.js';
import { configuration } from './configuration.js';
import { routes } from './routes.js';

const dispatch = createDispatcher(routes, createGuard(configuration.corsOrigins));
const cors = createCors(configuration.corsOrigins);
const log = openLog(configuration.logLevel);
let coldStart = true;

/**
 * Answers one invocation of the Lambda function. It takes one parameter: with a third one, the runtime would refuse
 * the handler as one that calls back.
 *
 * @param event - What the function was invoked with; a gateway's event, or anything.
 * @returns The result, valid for the gateway that the event came from. It never throws.
 */
export async function handler(event: unknown): Promise<unknown> {
  const started = performance.now();
  const request = readEvent(event);
  if (!request) return writeResult(refuse(event));
  const { template, response } = await answer(request);
  log('info', 'request', {
    requestId: request.id,
    method: request.method,
    route: template,
    status: response.status,
    duration: Number((performance.now() - started).toFixed(3)),
    coldStart,
  });
  coldStart = false;
  return writeResult(cors(request, response));
}

/** The one catch: what an operation throws is a fault of the service, told to the log and not to the caller. */
async function answer(request: Request): Promise<{ template: string | undefined; response: Response }> {
  let template: string | undefined;
  try {
    const dispatched = dispatch(request);
    template = dispatched.template;
    return { template, response: await dispatched.response };
  } catch (error) {
    const message = isUnavailable(error) ? 'the collection is unavailable' : 'unhandled exception';
    log('error', message, { requestId: request.id, route: template, error: describeError(error) });
    return { template, response: isUnavailable(error) ? unavailable(request, error) : problem(request, 500) };
  }
}

/** Not thrown: whoever tries the function from the console, or pings it, gets to read what it takes. */
function refuse(event: unknown): Response {
  const received = describeEvent(event);
  log('error', 'unknown kind of event', { received });
  const detail = `The function was invoked with ${received}. It answers REST APIs, HTTP APIs and function URLs.`;
  return problem({ id: '' }, 400, detail);
}
