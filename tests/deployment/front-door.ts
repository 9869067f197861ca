import { type Gateway, gateways, type Sent } from '../support/gateways/gateways.js';
import { startDeployed } from '../support/service/deployed.js';
import type { Service } from '../support/service/service.js';
import type { Template } from './template.js';

/**
 * Finds the routes of a template to the function.
 *
 * @param template - What was packaged.
 * @returns The methods of its REST API, or the routes of its HTTP API, such as `ANY /swagger/{proxy+} open`; sorted.
 */
export function routesOf({ Resources }: Template): string[] {
  const pathOf = (id: string | undefined): string => {
    const resource = Resources[id ?? ''];
    return resource ? `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}` : '';
  };
  const routes = Object.values(Resources).flatMap(({ Type, Properties }) => {
    const { HttpMethod, ResourceId, RouteKey, AuthorizationType } = Properties ?? {};
    const access = ['NONE', undefined].includes(AuthorizationType) ? 'open' : AuthorizationType;
    if (Type === 'AWS::ApiGateway::Method') return `${HttpMethod} ${pathOf(ResourceId.Ref) || '/'} ${access}`;
    return Type === 'AWS::ApiGatewayV2::Route' ? `${RouteKey} ${access}` : [];
  });
  return routes.sort();
}

/**
 * Starts the service behind the route `/swagger/{proxy+}` of a gateway, which is open where calls are signed.
 *
 * @param name - The gateway.
 * @returns The service. A call throws an error if API Gateway, which compares letter by letter, has another route for its path.
 */
export function startBehindOpenRoute(name: 'a REST API under its stage' | 'an HTTP API'): Service {
  const gateway = gateways.find((candidate) => candidate.name === name) as Gateway;
  const event = (sent: Sent) => {
    const path = gateway.decodes ? decodeURIComponent(sent.path) : sent.path;
    const [, proxy] = /^\/swagger\/(.+?)\/?$/.exec(path) ?? [];
    if (!proxy) throw new Error(`${path} has another route`);
    const made = gateway.event(sent) as { requestContext: object };
    const resource = '/swagger/{proxy+}';
    const route = gateway.decodes
      ? { routeKey: `ANY ${resource}` }
      : { resource, requestContext: { ...made.requestContext, resourcePath: resource } };
    return { ...made, ...route, pathParameters: { proxy } };
  };
  return startDeployed({ ...gateway, event });
}
