const { paths } = require('../docs/swagger.json');

const FRONT_DOORS = {
  rest: require('./rest-front-door.cjs'),
  http: require('./http-front-door.cjs'),
  url: require('./url-front-door.cjs'),
};

/**
 * Makes what callers come in by: a REST API, an HTTP API or a function URL, as the parameter `frontDoor` says.
 *
 * @param {object} serverless - What Serverless Framework passes to the functions that make its variables.
 * @returns {Promise<object>} The function's `events` and `url`, and a part of `resources`.
 */
module.exports = async ({ resolveVariable, resolveConfigurationProperty }) => {
  const parameters = await resolveConfigurationProperty(['custom', 'parameters']);
  const stage = await resolveVariable('sls:stage');
  const {
    events,
    url = false,
    base,
    resources,
  } = FRONT_DOORS[parameters.frontDoor]({
    ...parameters,
    stage,
    name: `${await resolveVariable('self:service')}-${stage}`,
    retention: await resolveConfigurationProperty(['provider', 'logRetentionInDays']),
    // The name in the template of the deployment of a REST API, which is new at each packaging.
    deployment: `ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`,
  });
  const [list] = Object.keys(paths);
  const Outputs = {
    ApiUrl: { Description: 'The list of items', Value: { 'Fn::Sub': base + list.slice(1) } },
    PageUrl: { Description: 'The page to try the API out', Value: { 'Fn::Sub': `${base}swagger/ui` } },
  };
  return { events, url, resources: { ...resources, Outputs } };
};
