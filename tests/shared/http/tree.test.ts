import { describe, expect, it } from '@jest/globals';
import { TemplateTree } from '../../../shared/http/tree.js';

const templates = [
  '/a/{*rest}',
  '/a/{id}',
  '/a/{*rest:maxlength(3)}',
  '/a/{id:int}',
  '/a/{id:int:min(5)}',
  '/a/b',
  '/a/{id}/c',
  '/a/b/{c?}',
  '/{x}/b/d',
];

function treeOf(added: readonly string[], method = 'GET') {
  const tree = new TemplateTree<string>();
  for (const template of added) tree.add(template, method, template);
  return tree;
}

describe.each([
  ['as declared', templates],
  ['in reverse', [...templates].reverse()],
])('where templates overlap, %s', (_order, added) => {
  it.each([
    ['a/b', '/a/b'],
    ['A/B', '/a/b'],
    ['a/b/1', '/a/b/{c?}'],
    ['a/b/d', '/a/b/{c?}'],
    ['z/b/d', '/{x}/b/d'],
    ['a/7', '/a/{id:int}'],
    ['a/x', '/a/{id}'],
    ['a/x/c', '/a/{id}/c'],
    ['a/x/y', '/a/{*rest:maxlength(3)}'],
    ['a/xx/y', '/a/{*rest}'],
    ['a', '/a/{*rest:maxlength(3)}'],
  ])('/%s leads to %s, the most precise one', (path, template) => {
    expect(treeOf(added).find('GET', path.split('/'))?.value).toBe(template);
  });
});

describe('the tree', () => {
  it('goes on to a less precise template where the more precise one has not the method', () => {
    const tree = new TemplateTree<string>();
    tree.add('/a/b', 'POST', 'post');
    tree.add('/a/{id}', 'GET', 'get');
    expect(tree.find('GET', ['a', 'b'])?.value).toBe('get');
    expect(tree.find('POST', ['a', 'b'])?.value).toBe('post');
    expect(tree.find('PUT', ['a', 'b'])).toBeUndefined();
    expect(tree.methods(['a', 'b'])).toEqual(['GET', 'POST']);
    expect(tree.methods(['b'])).toEqual([]);
  });

  it.each([
    ['/a/{id}', '/A/{key}'],
    ['/a/{id:int}', '/a/{key:int}'],
    ['/a/{b?}', '/a/{c=1}'],
    ['/a/{b:int?}', '/a/{c:alpha?}'],
    ['/{*a}', '/{*b}'],
    ['/', '/'],
  ])('refuses %s beside %s, which match the same paths', (one, other) => {
    expect(() => treeOf([one, other])).toThrow(`"${one}" and "${other}" match the same paths for GET`);
  });
});
