import { alarm } from './alarm.js';
import type { Metrics } from './front-door.js';
import { linesOf } from './lines.js';
import { computing, metric, watching } from './metric.js';
import type { Stage } from './stage.js';
import type { Watched } from './watched.js';

/** What the front door counts, and what its log has of refused requests. */
export function watchedRequests(stage: Stage, { namespace, dimensions, ...names }: Metrics): Watched {
  const count = (name: string) => metric(namespace, name, dimensions);
  const [requests, failed] = [count(names.requests), count(names.serverErrors)];
  const tooMany = stage.accessLog ? tooManyRequests(stage) : undefined;
  return {
    title: 'Requests',
    shown: [requests, count(names.clientErrors), failed, ...(tooMany?.shown ?? [])],
    alarms: {
      // Some 503 are normal while one instance answers one request at a time: a tenth of all requests is not.
      FailuresAlarm: alarm(
        'At least a tenth of all requests, and at least ten, returned 5xx.',
        10,
        computing('IF(failed >= 10, 100 * failed / requests, 0)', { failed, requests }),
      ),
      ...tooMany?.alarms,
    },
    filters: tooMany?.filters ?? {},
  };
}

/** Front doors count 429 among all 4xx, as they do 401, 404 and 412. Only the access log, where each value is text, tells them apart. */
function tooManyRequests({ name }: Stage) {
  const refused = metric(name, 'TooManyRequests', {});
  return {
    shown: [refused],
    filters: { TooManyRequests: linesOf('AccessLog', '{ $.status = "429" }', refused) },
    alarms: {
      TooManyRequestsAlarm: alarm(
        'The front door refused 100 requests: more came than its throttle lets through.',
        100,
        watching(refused),
      ),
    },
  };
}
