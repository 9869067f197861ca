import { type Gateway, gateways, type Sent } from '../gateways/gateways.js';
import type { Answer } from '../service/answer.js';
import { startService } from '../service/service.js';
import { resourcesOf } from './deployment.js';
import type { Template } from './template-schema.js';

/** What a call without credentials gets from a gateway and the service behind it. */
export interface FrontDoor {
  call(method: string, path: string): Promise<Answer | 'credentials asked for'>;
}

/** A method or route of the template's. */
interface Route {
  readonly method: string;
  /** Such as `/swagger/{proxy+}`, or `$default`. */
  readonly template: string;
  readonly open: boolean;
}

/**
 * Makes the REST API of a template: it finds the method for a call as API Gateway does, asks for credentials where the
 * method has an authorizer, and hands the event to the service.
 *
 * @param template - What was packaged.
 * @returns The API, called without credentials.
 */
export function restFrontDoor(template: Template): FrontDoor {
  const routes = resourcesOf(template, 'AWS::ApiGateway::Method').map(({ Properties }) => ({
    method: Properties.HttpMethod,
    template: pathOf(template, Properties.ResourceId) || '/',
    open: Properties.AuthorizationType === 'NONE',
  }));
  return frontDoor(routes, kindNamed('a REST API under its stage'), (event, route, proxy) => ({
    ...event,
    resource: route.template,
    pathParameters: proxy === undefined ? null : { proxy },
    requestContext: { ...event.requestContext, resourcePath: route.template },
  }));
}

/**
 * Makes the HTTP API of a template, likewise.
 *
 * @param template - What was packaged.
 * @returns The API, called without credentials.
 */
export function httpFrontDoor(template: Template): FrontDoor {
  const routes = resourcesOf(template, 'AWS::ApiGatewayV2::Route').map(({ Properties }) => {
    const [method, path] = Properties.RouteKey.split(' ');
    return { method: path ? method : 'ANY', template: path ?? method, open: !Properties.AuthorizationType };
  });
  return frontDoor(routes, kindNamed('an HTTP API'), (event, route, proxy) => ({
    ...event,
    routeKey: route.template === '$default' ? route.template : `${route.method} ${route.template}`,
    pathParameters: proxy === undefined ? undefined : { proxy },
  }));
}

// biome-ignore lint/suspicious/noExplicitAny: events differ by gateway, and are only copied here.
type Event = any;

function frontDoor(
  routes: readonly Route[],
  gateway: Gateway,
  routed: (event: Event, route: Route, proxy: string | undefined) => Event,
): FrontDoor {
  const find = ({ method, path }: Pick<Sent, 'method' | 'path'>) => {
    const decoded = gateway.decodes ? decodeURIComponent(path) : path;
    const [found] = routes
      .filter((route) => [method, 'ANY'].includes(route.method) && matches(route.template, decoded))
      // The most specific path first, and a method before ANY.
      .sort((one, other) => rank(other) - rank(one));
    if (!found) throw new Error(`nothing takes ${method} ${path}`);
    const [fixed, parameter] = found.template.split('{proxy+}');
    return { found, proxy: parameter === undefined ? undefined : decoded.slice(fixed?.length).replace(/\/$/, '') };
  };
  const event = (sent: Sent) => {
    const { found, proxy } = find(sent);
    return routed(gateway.event(sent), found, proxy);
  };
  const service = startService({ ...gateway, event });
  return {
    async call(method, path) {
      return find({ method, path }).found.open ? service.call(method, path) : 'credentials asked for';
    },
  };
}

/** Paths are compared letter by letter, as API Gateway does. */
function matches(template: string, path: string): boolean {
  if (template === '$default' || template === path) return true;
  const [fixed, parameter] = template.split('{proxy+}');
  return parameter !== undefined && path.startsWith(fixed as string) && path.length > (fixed as string).length;
}

function rank({ method, template }: Route): number {
  return 10 * template.replace('$default', '').length + (method === 'ANY' ? 0 : 1);
}

/** Follows the resources of a REST API up to its root. */
function pathOf(template: Template, id: { readonly Ref?: string }): string {
  const resource = id.Ref && template.Resources[id.Ref];
  if (!resource) return '';
  return `${pathOf(template, resource.Properties.ParentId)}/${resource.Properties.PathPart}`;
}

function kindNamed(wanted: string): Gateway {
  const gateway = gateways.find(({ name }) => name === wanted);
  if (!gateway) throw new Error(`there is no gateway named ${wanted}`);
  return gateway;
}
