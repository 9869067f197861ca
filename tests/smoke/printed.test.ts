// What the command prints and sends: the token goes to the stage alone, and what comes from outside can do no harm in a log.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { hideToken, shown } from '../../serverless/smoke/said.js';
import { gateways } from '../support/gateways/gateways.js';
import { listen } from '../support/listen.js';
import { startDeployed } from '../support/service/deployed.js';
import { COLLECTION } from '../support/service/documented.js';
import {
  answers,
  aStage,
  aToken,
  broken,
  builtDocument,
  fields,
  json,
  smoke,
  smokeAt,
  stopLater,
  withPeople,
} from './stage.js';

describe('the token', () => {
  it('is not printed where an answer repeats it, whole or in pieces, in its content or its header fields', async () => {
    const token = await aToken();
    const [, payload = ''] = token.split('.');
    const repeating = broken(
      await withPeople(),
      answers((answer, method) => {
        if (method === 'PUT')
          return { status: 403, ...json({ message: `… in Authorization header: 'Bearer ${token}'.` }) };
        if (method === 'POST') return fields(answer, { location: `/a?${payload.slice(3)}` });
        return {};
      }),
    );
    const { lines } = await smoke(repeating, ['--people'], token);
    expect(lines.join('\n')).toContain('with the Location /a?(token), not');
    expect(lines.join('\n')).not.toContain(payload.slice(3, 30));
    const naming = broken(
      await withPeople(),
      answers((_answer, method) =>
        method === 'PUT' ? { status: 403, ...json({ message: `'Bearer ${token}'` }) } : {},
      ),
    );
    const { lines: others } = await smoke(naming, ['--people'], token);
    expect(others.join('\n')).toContain(`PUT /live${COLLECTION}/KEY answered 403 ('Bearer (token)') instead of`);
  });

  it('is hidden in each text, also where a part of it is missing', () => {
    const token = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
    expect(hideToken(token, `a ${token} b`)).toBe('a (token) b');
    expect(hideToken(token, `${token}${token}`)).toBe('(token)(token)');
    expect(hideToken(token, `"${token.slice(5)}…`)).toBe('"(token)…');
    expect(hideToken(token, `x${token.slice(0, 16)}`)).toBe('x(token)');
    expect(hideToken(token, 'eyJhbGciOiJIUzI1NiJ9')).toBe('eyJhbGciOiJIUzI1NiJ9');
    expect(hideToken('short', 'a short one')).toBe('a (token) one');
    expect(hideToken(undefined, 'a')).toBe('a');
  });

  it('goes to no other origin and out of no stage, wherever the document leads', async () => {
    for (const path of ['.evil.example/api/todo', '@evil.example/', '1/api/todo', '/../api/todo', ':x']) {
      const sent: string[] = [];
      const leading = broken(await withPeople(), (call) => async (method, called, request) => {
        sent.push(`${called} ${request?.headers?.authorization}`);
        const answer = await call(method, called, request);
        if (!called.endsWith('openapi.json')) return answer;
        const { paths, ...document } = answer.json;
        return { ...answer, ...json({ ...document, paths: { [path]: paths[COLLECTION] } }) };
      });
      const { code, lines } = await smoke(leading, ['--people'], await aToken());
      expect(lines[0]).toMatch(
        /^FAILED {2}The stage answers.* The path \S+ leads out of http:\S+\/live, so nothing was sent there\./,
      );
      expect(lines[0]).toContain(` ${path} `);
      expect([code, sent]).toEqual([1, ['/swagger/v1/openapi.json undefined']]);
    }
  });

  it('goes to no other port of a stage without a prefix', async () => {
    const gateway = gateways.find(({ prefix }) => prefix === '');
    for (const path of ['99999/api/todo', '1/api/todo', '.evil.example/api/todo', '@evil.example/']) {
      const leading = answers(({ json: document }, _method, called) =>
        called.endsWith('openapi.json') ? json({ ...document, paths: { [path]: document.paths[COLLECTION] } }) : {},
      );
      const { lines } = await smoke(broken(startDeployed(gateway), leading));
      expect(lines[0]).toMatch(
        /^FAILED {2}The stage answers.* The path \S+ leads out of http:\S+, so nothing was sent there\./,
      );
    }
  });

  it('is not sent for the documents, nor where a redirect leads', async () => {
    const seen: string[] = [];
    const elsewhere = createServer(({ method, url }, response) => {
      seen.push(`${method} ${url}`);
      response.end('{}');
    });
    const other = await listen(elsewhere);
    const redirecting = createServer(({ url, headers }, response) => {
      seen.push(`${url} ${headers.authorization}`);
      const isDocument = url?.startsWith('/swagger');
      if (isDocument) response.setHeader('content-type', 'application/json').end(JSON.stringify(builtDocument()));
      else response.writeHead(302, { location: `http://${other}/` }).end();
    });
    const url = `http://${await listen(redirecting)}`;
    stopLater(() => elsewhere.close());
    stopLater(() => redirecting.close());
    const { code } = await smokeAt(url, ['--people'], 'abcdef');
    expect(code).toBe(1);
    expect(
      seen
        .filter((request) => !request.endsWith('undefined'))
        .every((request) => request.endsWith('abcdef') && !request.startsWith('/swagger')),
    ).toBe(true);
    expect(seen.filter((request) => request.startsWith('GET'))).toEqual([]);
  });
});

describe('what comes from outside', () => {
  it('begins no line of the log, controls no terminal, hides nothing, and is short', async () => {
    const hostile = '\n::error::all is well\u001b[2J\u009b\u202e\u2028';
    const answering = broken(
      await aStage(),
      answers((_answer, method) =>
        method === 'POST' ? { status: 500, ...json({ detail: hostile + 'x'.repeat(200) }) } : {},
      ),
    );
    const { lines } = await smoke(answering);
    const [said = ''] = lines.filter((line) => line.includes('::error::'));
    expect(said).toContain(String.raw`(\u{a}::error::all is well\u{1b}[2J\u{9b}\u{202e}\u{2028}xxx`);
    expect(said).toContain('x…)');
    expect(lines.join('')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });

  it('is shown as JSON, or as nothing', () => {
    const values = ['a', undefined, null, '', ['a', 1], 'a'.repeat(101)];
    expect(values.map(shown)).toEqual(['a', 'nothing', 'nothing', 'nothing', '["a",1]', `${'a'.repeat(100)}…`]);
  });
});

it('the sentences name guides and headings that are there', () => {
  const folder = 'serverless/smoke';
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const named = sources.flatMap((text) => Array.from(text.matchAll(/(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)));
  const missing = named.filter(([, file = '', anchor]) => {
    if (!existsSync(file)) return true;
    const titles = readFileSync(file, 'utf8').match(/^#+ .*$/gm) ?? [];
    const anchors = titles.map((title) =>
      title
        .replace(/^#+ /, '')
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
    return anchor !== undefined && !anchors.includes(anchor);
  });
  expect(named.length).toBeGreaterThan(15);
  expect(missing.map(([whole]) => whole)).toEqual([]);
});
