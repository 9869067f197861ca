import { randomUUID } from 'node:crypto';
import type { DeployedStage } from './deployed-stage.js';
import type { Described } from './description.js';
import { expectContent, expectProblem, expectStatus, expectThat, type Lines } from './outcome.js';

/** Tries the list without a token and without a signature. It sends GET only. */
export async function* tryAnonymously(stage: DeployedStage, { list }: Described): Lines {
  const { people, signed } = stage.expected;
  const anonymous = await stage.call('GET', list, { anonymous: true });
  if (people) {
    for (const answer of [anonymous, await stage.call('GET', `${list}/${randomUUID()}`, { anonymous: true })]) {
      expectProblem(401, 'no-token', answer, 'It should ask for a token: docs/authorization.md.');
      expectThat(
        ['www-authenticate', 'x-amzn-remapped-www-authenticate'].some((name) =>
          answer.headers.get(name)?.startsWith('Bearer '),
        ),
        `${answer.told} without a challenge: docs/rules.md#sign-in.`,
      );
    }
    yield 'Lists and items need a token (401)';
    const forged = await stage.call('GET', list, { headers: { Authorization: `Bearer ${madeUpToken()}` } });
    if (forged.status === 503)
      expectStatus(401, forged, "The provider's keys cannot be fetched: docs/authorization.md#providers.");
    expectProblem(401, 'invalid-token', forged);
    yield "A made-up token is refused, and the provider's keys can be fetched";
  } else if (signed) {
    for (const path of spellingsOf(list))
      expectStatus(403, await stage.call('GET', path), 'It needs no signature: docs/authorization.md#signed-calls.');
    expectStatus(404, await stage.call('GET', `/swagger${list}`));
    yield 'Lists need a signature, however their path is spelled (403)';
  } else {
    const advice = {
      401: 'It asks for a token. If people sign in here, add --people: docs/authorization.md.',
      403: 'It may ask for signed calls. If so, add --signed: docs/authorization.md#signed-calls.',
    }[anonymous.status];
    expectContent('application/json', anonymous, advice);
    yield 'Calls need neither a token nor a signature';
  }
}

/** A token that is well-formed, and signed with a key that no provider has. */
function madeUpToken(): string {
  const encode = (part: object | Buffer) =>
    (Buffer.isBuffer(part) ? part : Buffer.from(JSON.stringify(part))).toString('base64url');
  const header = encode({ alg: 'ES256', kid: randomUUID() });
  return `${header}.${encode({ sub: 'smoke', exp: Math.floor(Date.now() / 1_000) + 60 })}.${encode(Buffer.alloc(64, 1))}`;
}

/** The service takes all of these for the same path, so that each of them must be closed. */
function spellingsOf(list: string): readonly string[] {
  const escaped = list.replace(/\w/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
  return [list, `${list}/`, `/${list}`, list.toUpperCase(), escaped, `${list}/${randomUUID()}`];
}
