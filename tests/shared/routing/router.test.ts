import { describe, expect, it, jest } from '@jest/globals';
import { Router } from '../../../shared/routing/router.js';

function routerOf(templates: readonly string[], method = 'GET') {
  const router = new Router<string>();
  for (const template of templates) router.add(template, method, template);
  return router;
}

/** The parameters in a path; undefined if the template does not match it. */
function match(template: string, path: string) {
  const found = routerOf([template]).find('GET', path);
  return 'value' in found ? found.parameters : undefined;
}

describe('a path template (rule 2)', () => {
  it.each([
    ['/straße', '/STRASSE', undefined],
    ['/a/{id}', '/a/Two Words', { id: 'Two Words' }],
    ['/a/{id}', '/a', undefined],
    ['/a/{id?}', '/a', { id: undefined }],
    ['/a/{id=}', '/a', { id: '' }],
    ['/a/{id=x/y:z?}', '/a', { id: 'x/y:z?' }],
    ['/{a=1}/{b=2}/{c?}', '/', { a: '1', b: '2', c: undefined }],
    ['/{*path}', '/', { path: undefined }],
    ['/files/{*path}', '/files/a/b/c', { path: 'a/b/c' }],
    ['/files/{*path=index}', '/files', { path: 'index' }],
    ['/{id:int=none}', '/', { id: 'none' }],
    ['/{id:length(2)?}', '/abc', undefined],
  ])('%s finds in %s the parameters %j', (template, path, parameters) => {
    expect(match(template, path)).toEqual(parameters);
  });

  it.each([
    [
      'int',
      ['0', '+7', '2147483647', '-2147483648'],
      ['1.5', '2147483648', '-2147483649', '1e3', 'x1', '9'.repeat(99)],
    ],
    ['guid', ['cd2c1638-1638-72d5-1638-DEADBEEF1638'], ['1', '0cd2c1638-1638-72d5-1638-deadbeef1638']],
    ['bool', ['true', 'FALSE'], ['1', 'truer', 'untrue']],
    ['alpha', ['abc', 'XYZ'], ['a1', '1a', 'é']],
    ['minlength(3)', ['abc'], ['ab']],
    ['maxlength(3)', ['abc'], ['abcd']],
    ['length(3)', ['abc'], ['ab', 'abcd']],
    ['length(2,3)', ['ab', 'abc'], ['a', 'abcd']],
    ['min(18)', ['18', '+19', '9223372036854775807'], ['17', '-20', 'x', '9223372036854775808']],
    ['max(-1)', ['-1', '-9223372036854775807'], ['0', 'x', '-9223372036854775808']],
    ['range(18, 120)', ['18', '120'], ['17', '121', 'x']],
    ['regex(^\\d{{3}}-\\d{{2}}$)', ['123-45'], ['12-345', '123-456']],
    ['regex(^(a|b[)\\]]|\\(c\\))$)', ['a', 'B)', 'b]', '(c)'], ['b', 'c']],
    ['regex(^x:y=z$)', ['x:y=z'], ['x']],
    ['regex(^\\w/?$)', ['w'], ['wx']],
    ['int:min(5):max(9)', ['5', '9'], ['4', '10', 'x']],
  ])('with the constraint %s takes %j and not %j', (constraint, taken, others) => {
    for (const v of taken) expect([v, match(`/{v:${constraint}}`, `/${v}`)]).toEqual([v, { v }]);
    for (const v of others) expect([v, match(`/{v:${constraint}}`, `/${v}`)]).toEqual([v, undefined]);
  });

  it.each([
    ['api', 'must begin with a slash'],
    ['/api//note', 'empty segment'],
    ['/{}', 'has no name'],
    ['/{id', 'braces must pair'],
    ['/a{id}', 'fill its whole segment'],
    ['/a{{b', 'braces must pair'],
    ['/a}}b', 'braces must pair'],
    ['/{id!}', 'is not a constraint, a default or "?"'],
    ['/{id?}/{other}', '"{id}" is optional, so'],
    ['/{*all}/a', 'nothing may follow the wildcard "{*all}"'],
    ['/{a}/{a}', 'two parameters are named "a"'],
    ['/{id:integer}', 'unknown constraint "integer": use one of int, guid'],
    ['/{id:toString}', 'unknown constraint "toString"'],
    ['/{id:int(3)}', 'int takes no argument, but has "3"'],
    ['/{id:min}', 'min takes 1 integer, but has ""'],
    ['/{id:min(x)}', 'min takes 1 integer, but has "x"'],
    ['/{id:range(1)}', 'range takes 2 integers, but has "1"'],
    ['/{id:length(1,2,3)}', 'length takes 1 or 2 integers, but has "1,2,3"'],
    ['/{id:regex()}', 'regex takes an expression'],
    ['/{id:regex([)}', 'Unterminated character class'],
    ['/{id:min(1}', 'a parenthesis is not closed'],
  ])('%s is rejected at load: %s', (template, reason) => {
    expect(() => routerOf([template])).toThrow(`Path template "${template}": `);
    expect(() => routerOf([template])).toThrow(reason);
  });
});

describe('when templates overlap (rule 2)', () => {
  const templates = [
    ...['/a/{*rest}', '/a/{id}', '/a/{*rest:maxlength(3)}', '/a/{id:int}', '/a/{id:int:min(5)}'],
    ...['/a/b', '/a/{id}/c', '/a/b/{c?}', '/{x}/b/d'],
  ];

  it.each([
    ['a/b/1', '/a/b/{c?}'],
    ['z/b/d', '/{x}/b/d'],
    ['a/7', '/a/{id:int}'],
    ['a/x', '/a/{id}'],
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

  it('they are rejected also if another method has one of them already', () => {
    const router = routerOf(['/a/{id}'], 'POST');
    router.add('/A/{key}', 'GET', 'get');
    expect(() => router.add('/a/{id}', 'GET', 'get')).toThrow('"/A/{key}" and "/a/{id}" match the same paths for GET');
  });

  it.each([
    ['/a1b/c', '/a/b1c'],
    ['/{a}/b', '/{a}/c'],
    ['/a/{b:int}', '/a/{b:alpha}'],
    ['/a/{b:int}', '/a/{b:alpha?}'],
    ['/a/{b?}', '/a/{b:int?}'],
  ])('%s and %s are taken, because they only look alike', (one, other) => {
    expect(() => routerOf([one, other])).not.toThrow();
  });
});

describe('the segments of a path (rule 1)', () => {
  const router = routerOf(['/%41', '/', '/a', '/a/{id}', '/b/{*rest}', '/%']);

  it.each([
    ['', '/'],
    ['%41/', '/a'],
    ['/b/c/', '/b/{*rest}'],
    ['/%2541', '/%41'],
    ['/%25', '/%'],
    ['/%', '/%'],
  ])('are decoded, and a slash around them is ignored: %j leads to %s', (path, template) => {
    expect(router.find('GET', path)).toHaveProperty('value', template);
  });

  it.each(['//', '//a', '/a//', '/b//c', '/b/c//', '/%%', '/ab', '/b%2Fc'])(
    'match nothing if one is empty or differs: %j',
    (path) => expect(router.find('GET', path)).toEqual([]),
  );

  it.each([
    ['%61%2Fb/c%20d', 'a/b/c d'],
    ['caf%C3%A9%c3%a9%DF%BF%E2%82%ac%ef%bf%bd%F0%9F%91%8D%f4%8f%bf%bf', 'caféé\u07ff€\ufffd👍\u{10ffff}'],
    ['%e0%a0%80%ED%9F%BF%f0%90%80%80', '\u0800\ud7ff\u{10000}'],
  ])('are decoded once, each by itself: %j is %j', (path, rest) => {
    expect(router.find('GET', `/b/${path}`)).toHaveProperty('parameters', { rest });
  });

  it('keep escapes that are not UTF-8, which cost no exceptions', () => {
    const decode = jest.spyOn(globalThis, 'decodeURIComponent');
    const invalid = ['%zz', '%FF', '%E2%82', '%ED%A0%80', '%ed%bf%bf', '%C0%AF%C1%BF', '%E0%9F%BF', '%F0%8F%BF%BF'];
    for (const kept of [...invalid, '%F4%90%80%80', '%F5%80%80%80', '%C3'.repeat(9_000)])
      expect(router.find('GET', `/b/${kept}%61`)).toHaveProperty('parameters', { rest: `${kept}a` });
    expect(decode.mock.results.filter(({ type }) => type === 'throw')).toEqual([]);
    decode.mockRestore();
  });
});
