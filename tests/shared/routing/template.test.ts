import { describe, expect, it } from '@jest/globals';
import { Router } from '../../../shared/routing/router.js';
import { parseTemplate } from '../../../shared/routing/template.js';

/** The parameters in a path; undefined if the template does not match it. */
function match(template: string, path: string) {
  const router = new Router<string>();
  router.add(template, 'GET', template);
  const match = router.find('GET', path);
  return 'value' in match ? match.parameters : undefined;
}

describe('a path template', () => {
  it.each([
    ['/', '/', {}],
    ['/api/note', '/API/Note', {}],
    ['/api/note', '/api/note/1', undefined],
    ['/straße', '/STRASSE', undefined],
    ['/a/{id}', '/a/Two Words', { id: 'Two Words' }],
    ['/a/{id}', '/a/__proto__', { id: '__proto__' }],
    ['/a/{id}', '/a', undefined],
    ['/a/{id?}', '/a', { id: undefined }],
    ['/a/{id=first}', '/a', { id: 'first' }],
    ['/a/{id=}', '/a', { id: '' }],
    ['/a/{id=x/y:z?}', '/a', { id: 'x/y:z?' }],
    ['/{a=1}/{b=2}/{c?}', '/', { a: '1', b: '2', c: undefined }],
    ['/{*path}', '/', { path: undefined }],
    ['/files/{*path}', '/files/a/b/c', { path: 'a/b/c' }],
    ['/files/{*path=index}', '/files', { path: 'index' }],
  ])('%s finds in %s the parameters %j', (template, path, parameters) => {
    expect(match(template, path)).toEqual(parameters);
  });
});

describe('a constraint', () => {
  it.each([
    [
      'int',
      ['0', '-1', '+7', '2147483647', '-2147483648'],
      ['', '1.5', '2147483648', '-2147483649', '1e3', '0x1', 'x1', '9'.repeat(99)],
    ],
    [
      'guid',
      ['cd2c1638-1638-72d5-1638-deadbeef1638', 'CD2C1638-1638-72D5-1638-DEADBEEF1638'],
      ['cd2c1638', '1', '0cd2c1638-1638-72d5-1638-deadbeef1638', 'cd2c1638-1638-72d5-1638-deadbeef16380'],
    ],
    ['bool', ['true', 'FALSE'], ['1', 'yes', 'truer', 'untrue']],
    ['alpha', ['abc', 'XYZ'], ['a1', '1a', 'é', 'a b']],
    ['minlength(3)', ['abc', 'abcd'], ['ab']],
    ['maxlength(3)', ['abc', 'a'], ['abcd']],
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
  ])('%s accepts %j and rejects %j', (constraint, accepted, rejected) => {
    for (const value of accepted)
      expect([value, match(`/{v:${constraint}}`, `/${value}`)]).toEqual([value, { v: value }]);
    for (const value of rejected) expect([value, match(`/{v:${constraint}}`, `/${value}`)]).toEqual([value, undefined]);
  });

  it('can stand beside a default, which need not satisfy it, and in an optional segment', () => {
    expect(match('/{id:int=none}', '/')).toEqual({ id: 'none' });
    expect(match('/{id:int=none}', '/x')).toBeUndefined();
    expect(match('/{id:length(2)?}', '/')).toEqual({ id: undefined });
    expect(match('/{id:length(2)?}', '/abc')).toBeUndefined();
  });
});

describe('a wrong path template is rejected at load:', () => {
  it.each([
    ['api', 'must begin with a slash'],
    ['/api//note', 'empty segment'],
    ['/api/', 'empty segment'],
    ['/{}', 'has no name'],
    ['/{id', 'braces must pair'],
    ['/a{id}', 'fill its whole segment'],
    ['/{id:-int}', 'unknown constraint ""'],
    ['/{id!}', 'is not a constraint, a default or "?"'],
    ['/{id?}/{other}', '"{id}" is optional, so'],
    ['/{id=1}/a', '"{id}" is optional, so'],
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
  ])('%s, because %s', (template, reason) => {
    expect(() => parseTemplate(template)).toThrow(`Path template "${template}": `);
    expect(() => parseTemplate(template)).toThrow(reason);
  });
});
