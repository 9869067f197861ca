import { type Gateway, gateways, type Sent } from '../gateways/gateways.js';
import type { Answer } from '../service/answer.js';
import { startDeployed } from '../service/deployed.js';
import type { Template } from './template.js';

/** A gateway and the service behind it, called without a signature. */
export type FrontDoor = (method: string, path: string) => Promise<Answer | 'signature asked for'>;

export const REST_API = gatewayNamed('a REST API under its stage');
export const HTTP_API = gatewayNamed('an HTTP API');

/** A method of a REST API, or a route of an HTTP API. */
interface Route {
  readonly method: string;
  /** Such as `/swagger/{proxy+}`, or `$default`. */
  readonly path: string;
  readonly open: boolean;
}

/**
 * Finds the routes of a template to the function.
 *
 * @param template - What was packaged.
 * @returns The methods of its REST API, or the routes of its HTTP API.
 */
export function routesOf({ Resources }: Template): Route[] {
  const pathOf = (id: string | undefined): string => {
    const resource = Resources[id ?? ''];
    return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
  };
  return Object.values(Resources).flatMap(({ Type, Properties }) => {
    if (Type === 'AWS::ApiGateway::Method') {
      const { HttpMethod: method, ResourceId, AuthorizationType } = Properties;
      return { method, path: pathOf(ResourceId.Ref) || '/', open: AuthorizationType === 'NONE' };
    }
    if (Type !== 'AWS::ApiGatewayV2::Route') return [];
    const [path, method = 'ANY'] = Properties.RouteKey.split(' ').reverse();
    return { method, path, open: Properties.AuthorizationType === 'NONE' || !Properties.AuthorizationType };
  });
}

/**
 * Makes a gateway that finds the route for a call as API Gateway does, asks for a signature if the route has an authorizer,
 * and passes the event to the service.
 *
 * @param gateway - Which kind of gateway it is.
 * @param routes - Its routes.
 * @returns The gateway, called without a signature.
 */
export function frontDoor(gateway: Gateway, routes: readonly Route[]): FrontDoor {
  const find = ({ method, path }: Pick<Sent, 'method' | 'path'>) => {
    const decoded = gateway.decodes ? decodeURIComponent(path) : path;
    const [route] = routes
      .filter((route) => [method, 'ANY'].includes(route.method) && matches(route, decoded))
      .sort((one, other) => precedence(other) - precedence(one));
    if (!route) throw new Error(`nothing takes ${method} ${path}`);
    const [fixed, parameter] = route.path.split('{proxy+}');
    return { route, proxy: parameter === undefined ? undefined : decoded.slice(fixed?.length).replace(/\/$/, '') };
  };
  const event = (sent: Sent) => {
    const { route, proxy } = find(sent);
    const made = gateway.event(sent) as { requestContext: object };
    const pathParameters = proxy === undefined ? undefined : { proxy };
    const routeKey = route.path === '$default' ? route.path : `${route.method} ${route.path}`;
    return gateway.decodes
      ? { ...made, routeKey, pathParameters }
      : {
          ...made,
          resource: route.path,
          pathParameters: pathParameters ?? null,
          requestContext: { ...made.requestContext, resourcePath: route.path },
        };
  };
  const service = startDeployed({ ...gateway, event });
  return async (method, path) =>
    find({ method, path }).route.open ? service.call(method, path) : 'signature asked for';
}

/** Paths are compared letter by letter, as API Gateway does. */
function matches(route: Route, path: string): boolean {
  if (route.path === '$default' || route.path === path) return true;
  const [fixed = '', parameter] = route.path.split('{proxy+}');
  return parameter !== undefined && path.startsWith(fixed) && path.length > fixed.length;
}

/** The most specific path first, and a method before ANY. */
function precedence({ method, path }: Route): number {
  return 10 * path.replace('$default', '').length + (method === 'ANY' ? 0 : 1);
}

function gatewayNamed(wanted: string): Gateway {
  const gateway = gateways.find(({ name }) => name === wanted);
  if (!gateway) throw new Error(`there is no gateway named ${wanted}`);
  return gateway;
}
