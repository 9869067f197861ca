import { describe, expect, it } from '@jest/globals';
import type { Request } from '../../../shared/http/request.js';
import { createDispatcher } from '../../../shared/routing/dispatcher.js';
import { type AnyRoute, type Method, route } from '../../../shared/routing/route.js';

const request = (method: string, path: string): Request => ({
  method,
  path,
  prefix: '',
  id: 'request-1',
  body: undefined,
  isBase64Encoded: false,
  header: () => undefined,
  query: () => undefined,
});

const routeTo = (method: Method, template: string): AnyRoute =>
  route({
    method,
    template,
    answers: { 200: {} },
    run: ({ parameters }) => ({ status: 200, headers: { Route: template }, body: JSON.stringify(parameters) }),
  });

const admitAll = () => undefined;

describe('the dispatcher', () => {
  it('runs the route that matches, with its path parameters', async () => {
    const dispatch = createDispatcher([routeTo('GET', '/a/{id}')], admitAll);
    const { template, response } = dispatch(request('GET', '/A/Walk'));
    expect(template).toBe('/a/{id}');
    expect(await response).toEqual({ status: 200, headers: { Route: '/a/{id}' }, body: '{"id":"Walk"}' });
  });

  it('offers HEAD only where GET is', async () => {
    const dispatch = createDispatcher([routeTo('POST', '/a'), routeTo('GET', '/b')], admitAll);
    expect(await dispatch(request('OPTIONS', '/a')).response).toHaveProperty('headers.Allow', 'OPTIONS, POST');
    expect(await dispatch(request('OPTIONS', '/b')).response).toHaveProperty('headers.Allow', 'GET, HEAD, OPTIONS');
    expect(await dispatch(request('HEAD', '/a')).response).toHaveProperty('status', 404);
    expect(await dispatch(request('HEAD', '/b')).response).toEqual({ status: 200, headers: { Route: '/b' } });
  });

  it('names the methods of all templates that a path matches', async () => {
    const routes = [routeTo('POST', '/a/b'), routeTo('DELETE', '/a/{id}'), routeTo('PUT', '/a')];
    const dispatch = createDispatcher(routes, admitAll);
    expect(await dispatch(request('GET', '/a/b')).response).toHaveProperty('headers.Allow', 'DELETE, OPTIONS, POST');
  });

  it.each([
    [['/a/{id}', '/A/{key}'], 'match the same paths for GET'],
    [['/a/{id'], 'braces must pair'],
  ])('refuses the templates %j at load', (templates, reason) => {
    const routes = templates.map((template) => routeTo('GET', template));
    expect(() => createDispatcher(routes, admitAll)).toThrow(reason);
  });
});

describe('a declaration', () => {
  it('does not compile when the operation answers or reads what it does not declare', () => {
    route({
      method: 'GET',
      template: '/a/{id:int}/{*rest}',
      answers: { 200: {} },
      // @ts-expect-error 404 is not declared
      run: ({ parameters }) => ({ status: parameters.id === '1' ? 200 : 404, headers: {} }),
    });
    route({
      method: 'GET',
      template: '/a/{id=1}/{other?}',
      answers: { 200: {} },
      run: ({ parameters }) => {
        const texts: [string, string | undefined] = [parameters.id, parameters.other];
        // @ts-expect-error the template has no parameter of this name
        return { status: 200, headers: {}, body: parameters.key ?? texts.join() };
      },
    });
  });
});
