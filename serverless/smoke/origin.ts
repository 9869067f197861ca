import type { DeployedStage } from './deployed-stage.js';
import type { Described } from './description.js';
import { expectThat, type Lines, skipped } from './outcome.js';
import type { Answer } from './received-answer.js';
import { shown } from './shown.js';

/** No page has this origin (RFC 6761). */
const OTHER = 'https://smoke.invalid';
const WRONG_CORS = 'corsOrigins says who may call: docs/parameters.md.';

/** Tries what browsers ask before they let a page of the origin call. */
export async function* tryOrigin(stage: DeployedStage, { list }: Described): Lines {
  const { origin } = stage.expected;
  if (origin === undefined) return;
  const asked = {
    Origin: origin,
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
  };
  const preflight = await stage.call('OPTIONS', list, { headers: asked, anonymous: true });
  expectThat(preflight.status === 200 || preflight.status === 204, `${preflight.told} instead of 204. ${WRONG_CORS}`);
  expectThat(admits(preflight, origin), `A preflight lets ${shown(originIn(preflight))} call. ${WRONG_CORS}`);
  const allowed = (name: string) => preflight.headers.get(`access-control-allow-${name}`) ?? 'nothing';
  expectThat(
    /\bPOST\b/.test(allowed('methods')),
    `A preflight allows ${shown(allowed('methods'))}, but not POST. ${WRONG_CORS}`,
  );
  expectThat(
    /\bauthorization\b/i.test(allowed('headers')) && /\*|content-type/i.test(allowed('headers')),
    `A preflight allows the fields ${shown(allowed('headers'))}. ${WRONG_CORS}`,
  );
  if (!stage.expected.signed) {
    const answer = await stage.call('GET', list, { headers: { Origin: origin } });
    expectThat(admits(answer, origin), `${answer.told}, and lets ${shown(originIn(answer))} read that. ${WRONG_CORS}`);
    const exposed = answer.headers.get('access-control-expose-headers') ?? '';
    expectThat(
      /\bETag\b/i.test(exposed) && /\bLocation\b/i.test(exposed),
      `Pages can read ${shown(exposed)} only. ${WRONG_CORS}`,
    );
  }
  yield `Pages of ${origin} may call`;
  const other = await stage.call('OPTIONS', list, { headers: { ...asked, Origin: OTHER }, anonymous: true });
  if (originIn(other) === '*') return yield skipped('Pages of other origins', 'any page may call');
  expectThat(!admits(other, OTHER), `Pages of another origin may call. ${WRONG_CORS}`);
  yield 'Pages of other origins may not';
}

/** The origin whose pages may read an answer. */
const originIn = ({ headers }: Answer) => headers.get('access-control-allow-origin') ?? 'no origin';

const admits = (answer: Answer, origin: string) => [origin, '*'].includes(originIn(answer));
