import { type Plan, planStage } from './plan-stage.js';
import { readParameters, type Variables } from './read-parameters.js';

/**
 * Makes the variable `custom.plan` of Serverless Framework.
 *
 * @throws Error naming each parameter that is wrong, unknown or missing, and what it takes.
 */
export default async function plan(variables: Variables): Promise<Plan> {
  const { resolveVariable, resolveConfigurationProperty } = variables;
  const stage = String(await resolveVariable('sls:stage'));
  return planStage(await readParameters(variables, stage), {
    service: String(await resolveVariable('self:service')),
    stage,
    timeout: Number(await resolveConfigurationProperty(['provider', 'timeout'])),
    deployment: `ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`,
  });
}
