import { type EmulatorOptions, localParameters } from './local/emulator.js';
import { readParameters, type Variables } from './parameters/read.js';
import { type Plan, planStage } from './plan/plan.js';

export { readStages as stages } from './parameters/read.js';

/**
 * Makes the variable `custom.plan` of Serverless Framework.
 *
 * @throws Error that names each wrong, unknown or missing parameter, and what it takes.
 */
export async function plan(variables: Variables & { readonly options: EmulatorOptions }): Promise<Plan> {
  const { options, resolveVariable, resolveConfigurationProperty } = variables;
  const stage = String(await resolveVariable('sls:stage'));
  return planStage(await readParameters(variables, stage, localParameters(options)), {
    service: String(await resolveVariable('self:service')),
    stage,
    timeout: Number(await resolveConfigurationProperty(['provider', 'timeout'])),
    deployment: `ApiGatewayDeployment${await resolveVariable('sls:instanceId')}`,
  });
}
