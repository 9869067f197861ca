import { describe, expect, it, jest } from '@jest/globals';
import { Router } from '../../../shared/routing/router.js';

function routerOf(templates: readonly string[], method = 'GET') {
  const router = new Router<string>();
  for (const template of templates) router.add(template, method, template);
  return router;
}

describe('when templates overlap', () => {
  const templates = [
    ...['/a/{*rest}', '/a/{id}', '/a/{*rest:maxlength(3)}', '/a/{id:int}', '/a/{id:int:min(5)}'],
    ...['/a/b', '/a/{id}/c', '/a/b/{c?}', '/{x}/b/d'],
  ];

  it.each([
    ['a/b', '/a/b'],
    ['A/B', '/a/b'],
    ['a/b/1', '/a/b/{c?}'],
    ['z/b/d', '/{x}/b/d'],
    ['a/7', '/a/{id:int}'],
    ['a/x', '/a/{id}'],
    ['a/x/c', '/a/{id}/c'],
    ['a/x/y', '/a/{*rest:maxlength(3)}'],
    ['a/xx/y', '/a/{*rest}'],
    ['a', '/a/{*rest:maxlength(3)}'],
  ])('/%s leads to %s, the most specific one, whatever their order', (path, template) => {
    for (const added of [templates, [...templates].reverse()])
      expect(routerOf(added).find('GET', `/${path}`)).toHaveProperty('value', template);
  });

  it('the next one is found if the most specific one does not have the method', () => {
    const router = routerOf(['/a/b', '/a/{id}', '/a/{*rest}'], 'POST');
    router.add('/a/{id}', 'GET', 'get');
    expect(router.find('GET', '/a/b')).toHaveProperty('value', 'get');
    expect(router.find('PUT', '/a/b')).toEqual(['GET', 'POST']);
    expect(router.find('PUT', '/a/b/c')).toEqual(['POST']);
    expect(router.find('PUT', '/b')).toEqual([]);
  });

  it.each([
    ['/a/{id}', '/A/{key}'],
    ['/a/{b:int}', '/a/{c:int?}'],
    ['/a/{b?}', '/a/{c=1}'],
    ['/a/{b:int?}', '/a/{c:alpha?}'],
    ['/{*a}', '/{*b}'],
    ['/', '/'],
  ])('%s and %s are rejected, because they match the same paths', (one, other) => {
    expect(() => routerOf([one, other])).toThrow(`"${one}" and "${other}" match the same paths for GET`);
  });

  it.each([
    ['/a1b/c', '/a/b1c'],
    ['/{a}/b', '/{a}/c'],
    ['/a/{b:int}', '/a/{b:alpha}'],
  ])('%s and %s are taken, because they only look alike', (one, other) => {
    expect(() => routerOf([one, other])).not.toThrow();
  });
});

describe('the segments of a path', () => {
  const router = routerOf(['/%41', '/', '/a', '/a/{id}', '/b/{*rest}', '/%']);

  it.each([
    ['', '/'],
    ['/', '/'],
    ['/a/', '/a'],
    ['a', '/a'],
    ['/%41/', '/a'],
    ['a/b', '/a/{id}'],
    ['/b/c/', '/b/{*rest}'],
    ['/%2541', '/%41'],
    ['/%25', '/%'],
    ['/%', '/%'],
  ])('are decoded, and a slash around them is ignored: %j leads to %s', (path, template) => {
    expect(router.find('GET', path)).toHaveProperty('value', template);
  });

  it.each(['//', '//a', '/a//', '/b//c', '/b/c//', '/%%', '/ab', '/b%2Fc'])(
    'match nothing if one is empty or differs: %j',
    (path) => {
      expect(router.find('GET', path)).toEqual([]);
    },
  );

  it.each([
    ['%61%2Fb/c%20d', 'a/b/c d'],
    ['a+b/', 'a+b'],
    ['caf%C3%A9%c3%a9%DF%BF%E2%82%ac%ef%bf%bd%F0%9F%91%8D%f4%8f%bf%bf', 'caféé\u07ff€\ufffd👍\u{10ffff}'],
    ['%zz%61', '%zza'],
    ['%FF%61', '%FFa'],
    ['%E2%82%61', '%E2%82a'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%C0%AF%C1%BF', '%C0%AF%C1%BF'],
    ['%E0%9F%BF%e0%a0%80', '%E0%9F%BF\u0800'],
    ['%ED%9F%BF%ed%bf%bf', '\ud7ff%ed%bf%bf'],
    ['%F0%8F%BF%BF%f0%90%80%80', '%F0%8F%BF%BF\u{10000}'],
    ['%F4%90%80%80', '%F4%90%80%80'],
    ['%F5%80%80%80', '%F5%80%80%80'],
  ])('are decoded once, each by itself, and keep malformed escapes: %j is %j', (path, rest) => {
    expect(router.find('GET', `/b/${path}`)).toHaveProperty('parameters', { rest });
  });

  it('cost no exception for each malformed escape', () => {
    const decode = jest.spyOn(globalThis, 'decodeURIComponent');
    const malformed = '%ED%A0%80%C0%AF%F5%80%80%80%FF%C3'.repeat(1_000);
    expect(router.find('GET', `/b/${malformed}%61`)).toHaveProperty('parameters', { rest: `${malformed}a` });
    expect(decode.mock.results.filter(({ type }) => type === 'throw')).toEqual([]);
    decode.mockRestore();
  });
});
