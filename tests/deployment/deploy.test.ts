import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { load, type Schema } from 'js-yaml';
import {
  copyProject,
  type Deployment,
  deploymentFaults,
  packageService,
  resourcesOf,
} from '../support/deployment/deployment.js';

const folder = mkdtempSync(join(tmpdir(), 'todo-deploy-'));
const guide = readFileSync('docs/deploy.md', 'utf8');
const [httpApi, functionUrl] = Array.from(guide.matchAll(/^```yaml\n(.*?)^```/gms), ([, snippet]) => snippet as string);
const schema: Schema = createRequire(resolve('serverless.yml'))(
  'serverless/lib/utils/serverless-utils/cloudformation-schema',
);

afterAll(() => rmSync(folder, { recursive: true }));

/** Changes serverless.yml as the guide says, in a copy, and packages that. */
function packageWith(name: string, snippet: string, ...options: readonly string[]): Deployment {
  const project = copyProject(join(folder, name, 'project'));
  const config = load(readFileSync(join(project, 'serverless.yml'), 'utf8'), { schema }) as { resources: unknown[] };
  const [, line] = /delete the line `- (.*?)`/.exec(guide) ?? [];
  const resources = config.resources.filter((part) => part !== line);
  expect(resources).toHaveLength(config.resources.length - 1);
  const changed = merge({ ...config, resources }, load(snippet));
  rmSync(join(project, 'serverless.yml'));
  writeFileSync(join(project, 'serverless.json'), JSON.stringify(changed));
  return packageService(join(folder, name), options, project);
}

/** A JSON merge patch (RFC 7396). */
function merge(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch;
  const merged = new Map(Object.entries(target ?? {}));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) {
      if (!merged.delete(name)) throw new Error(`the guide deletes ${name}, which serverless.yml does not have`);
    } else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function typesOf({ template }: Deployment): string[] {
  return Object.values(template.Resources).map(({ Type }) => Type);
}

describe("the deploy guide's front doors", () => {
  it('can be an HTTP API', () => {
    const deployment = packageWith('http', httpApi as string, '--param=alarmEmail=operator@example.com');
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
    const deployment = packageWith('url', functionUrl as string);
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
