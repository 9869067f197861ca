// Each stage lets in whom it should not, or keeps out whom it should let in.
import { describe, expect, it } from '@jest/globals';
import type { Answer } from '../support/service/answer.js';
import { COLLECTION } from '../support/service/documented.js';
import type { Service } from '../support/service/service.js';
import { answers, aStage, aToken, broken, type Fault, fields, signedStage, smoke, withPeople } from './stage.js';

const ORIGIN = 'https://app.example.com';

async function failing(service: Service | Promise<Service>, options: readonly string[] = [], token = '') {
  const { code, lines } = await smoke(await service, options, token);
  expect(code).toBe(1);
  return lines.filter((line) => line.startsWith('FAILED')).join('\n');
}

describe('npm run smoke finds', () => {
  it('a provider whose keys cannot be fetched', async () => {
    const lines = await failing(withPeople({ TOKEN_ISSUER: 'http://127.0.0.1:9' }), ['--people']);
    expect(lines).toMatch(/503 .*The provider's keys cannot be fetched: docs\/authorization\.md/);
  });

  it('another audience than that of the tokens', async () => {
    const lines = await failing(withPeople({ TOKEN_AUDIENCE: 'another' }), ['--people'], await aToken());
    expect(lines).toMatch(/answered 401 \("The token is for another audience\./);
  });

  it('a stage that is open although people should sign in, or sign their calls', async () => {
    expect(await failing(await aStage(), ['--people'])).toMatch(/answered 200 instead of 401\. It should ask/);
    expect(await failing(await aStage(), ['--signed'])).toMatch(/answered 200 instead of 403\. It needs no/);
  });

  it('a stage that asks for a token or a signature although it should not, and says which option it may need', async () => {
    expect(await failing(withPeople())).toMatch(
      /instead of 200\. It asks for a token\. If people sign in here, add --people/,
    );
    expect(await failing(signedStage())).toMatch(/instead of 200\. It may ask for signed calls\. If so, add --signed/);
  });

  it('items that are open, although the list is closed', async () => {
    const open: Fault = (call) => async (method, path, sent) => {
      const headers = { authorization: `Bearer ${await aToken()}`, ...sent?.headers };
      return call(method, path, path.startsWith(`${COLLECTION}/`) ? { ...sent, headers } : sent);
    };
    expect(await failing(broken(await withPeople(), open), ['--people'])).toMatch(/answered 404 .* instead of 401/);
  });

  it('a list that is open to made-up tokens, or that asks for a token without a challenge or a code', async () => {
    let lists = 0;
    const naive = answers((answer, _method, path) => {
      if (path === COLLECTION) lists += 1;
      return path === COLLECTION && lists === 3 ? { status: 200, content: answer.content } : {};
    });
    expect(await failing(broken(await withPeople(), naive), ['--people'])).toMatch(
      /answered 200 .*instead of 401\. The log says more/,
    );
    const mute = answers((answer) => fields(answer, { 'www-authenticate': undefined }));
    expect(await failing(broken(await withPeople(), mute), ['--people'])).toMatch(/without a challenge/);
    const html = answers((answer) => (answer.status === 401 ? fields(answer, { 'content-type': 'text/html' }) : {}));
    expect(await failing(broken(await withPeople(), html), ['--people'])).toMatch(
      /answered 401 .* as "text\/html" instead of application\/problem\+json/,
    );
  });

  it.each([COLLECTION.toUpperCase(), `/swagger${COLLECTION}`])('a way around the signature: %s', async (open) => {
    const passing = answers((_answer, _method, path) => (path === open ? { status: 200 } : {}));
    expect(await failing(broken(signedStage(), passing), ['--signed'])).toMatch(/answered 200 .*instead of 40[34]\./);
  });

  it.each<[what: string, method: string, headers: Readonly<Record<string, string>>, fault: RegExp]>([
    ['no origin', 'OPTIONS', { 'access-control-allow-origin': 'null' }, /A preflight lets "null" call/],
    ['no POST', 'OPTIONS', { 'access-control-allow-methods': 'GET' }, /A preflight allows "GET", but not POST/],
    ['no body', 'OPTIONS', { 'access-control-allow-headers': 'authorization' }, /allows the fields "authorization"\./],
    ['no token', 'OPTIONS', { 'access-control-allow-headers': 'content-type' }, /allows the fields "content-type"\./],
    ['no reading', 'GET', { 'access-control-allow-origin': 'null' }, /answered 200, and lets "null" read that/],
    ['no Location', 'GET', { 'access-control-expose-headers': 'ETag' }, /Pages can read "ETag" only/],
    ['no ETag', 'GET', { 'access-control-expose-headers': 'Location' }, /Pages can read "Location" only/],
  ])('CORS that lets pages send or read too little: %s', async (_what, changed, headers, fault) => {
    const less = answers((answer, method) => (method === changed ? fields(answer, headers) : {}));
    const service = broken(await aStage({ CORS_ORIGINS: ORIGIN }), less);
    expect(await failing(service, ['--origin', ORIGIN])).toMatch(fault);
  });

  it('an origin whose pages may not call, others that may, and a preflight that is refused or says nothing', async () => {
    const options = ['--origin', ORIGIN];
    expect(await failing(await aStage(), options)).toMatch(/A preflight lets "no origin" call\. corsOrigins says who/);
    const wide = await aStage({ CORS_ORIGINS: `${ORIGIN},https://smoke.invalid` });
    expect(await failing(wide, options)).toMatch(/Pages of another origin may call\. corsOrigins/);
    const changed = async (change: (answer: Answer) => Partial<Answer>) =>
      broken(
        await aStage({ CORS_ORIGINS: ORIGIN }),
        answers((answer, method) => (method === 'OPTIONS' ? change(answer) : {})),
      );
    expect(
      await failing(
        changed(() => ({ status: 403 })),
        options,
      ),
    ).toMatch(/OPTIONS \S+ answered 403 instead of 204/);
    const silent = changed(() => ({ headers: { 'access-control-allow-origin': ORIGIN } }));
    expect(await failing(silent, options)).toMatch(/A preflight allows "nothing", but not POST/);
  });

  it('that pages can read no fields', async () => {
    const silent = answers((answer) => fields(answer, { 'access-control-expose-headers': undefined }));
    const service = broken(await aStage({ CORS_ORIGINS: ORIGIN }), silent);
    expect(await failing(service, ['--origin', ORIGIN])).toMatch(/Pages can read "" only/);
  });

  it('that signed calls are tried with --origin, which reads nothing then', async () => {
    const allowing = answers((answer, method) =>
      method === 'OPTIONS'
        ? fields(answer, {
            'access-control-allow-origin': ORIGIN,
            'access-control-allow-methods': 'POST',
            'access-control-allow-headers': '*, Authorization',
          })
        : {},
    );
    const { code, lines } = await smoke(broken(signedStage(), allowing), ['--signed', '--origin', ORIGIN]);
    expect(lines).toContain(`ok      Pages of ${ORIGIN} may call.`);
    expect(code).toBe(0);
  });
});
