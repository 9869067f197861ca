import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Deployment, deploymentFaults, resourcesOf } from '../support/deployment/deployment.js';
import { packageRecipe, recipesIn } from '../support/deployment/recipe.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const folder = temporaryFolder();
const [, restApi] = /delete the line `- (.*?)`/.exec(readFileSync('docs/deploy.md', 'utf8')) ?? [];
const [httpApi, functionUrl] = recipesIn('docs/deploy.md', 'Another front door') as [string, string];

function typesOf({ template }: Deployment): string[] {
  return Object.values(template.Resources).map(({ Type }) => Type);
}

describe("the deploy guide's front doors", () => {
  it('can be an HTTP API', () => {
    const deployment = packageRecipe(join(folder, 'http'), httpApi, restApi, [
      '--param=alarmEmail=operator@example.com',
    ]);
    expect(deploymentFaults(deployment)).toEqual([]);
    expect(typesOf(deployment).filter((type) => type.startsWith('AWS::ApiGateway::'))).toEqual([]);
    expect(typesOf(deployment).filter((type) => type === 'AWS::CloudWatch::Alarm')).toHaveLength(4);
    const [integration] = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Integration');
    expect(integration?.Properties.PayloadFormatVersion).toBe('2.0');
    const [route] = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Route');
    expect(route?.Properties.RouteKey).toBe('$default');
    expect(deployment.template.Outputs).toHaveProperty('HttpApiUrl');
  });

  it('can be a function URL', () => {
    const deployment = packageRecipe(join(folder, 'url'), functionUrl, restApi);
    expect(deploymentFaults(deployment)).toEqual([]);
    expect(typesOf(deployment).filter((type) => type.startsWith('AWS::ApiGateway'))).toEqual([]);
    expect(resourcesOf(deployment.template, 'AWS::Lambda::Url')[0]?.Properties.AuthType).toBe('NONE');
    const permissions = resourcesOf(deployment.template, 'AWS::Lambda::Permission');
    expect(permissions.map(({ Properties }) => Properties.Action).sort()).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ]);
    expect(deployment.template.Outputs).toHaveProperty('ApiLambdaFunctionUrl');
  });
});
