import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { deploymentFaults, packageService, resourcesOf } from './support/deployment.js';

const project = mkdtempSync(join(tmpdir(), 'todo-deploy-'));
const guide = readFileSync('docs/deploy.md', 'utf8');
const [httpApi, functionUrl] = Array.from(guide.matchAll(/^```yaml\n(.*?)^```/gms), ([, snippet]) => snippet as string);

afterAll(() => rmSync(project, { recursive: true }));

/** Changes serverless.yml as the guide says, in a copy, and packages that. */
function packageWith(snippet: string) {
  const printed = execFileSync(
    process.execPath,
    ['node_modules/serverless/bin/serverless.js', 'print', '--format', 'json'],
    {
      stdio: 'pipe',
    },
  );
  const { package: patterns, ...config } = JSON.parse(printed.toString());
  delete patterns.artifactsS3KeyDirname; // printed, but not taken
  const changed = merge({ ...config, package: patterns }, load(snippet));
  writeFileSync(join(project, 'serverless.json'), JSON.stringify(changed));
  return packageService(mkdtempSync(join(project, 'package-')), [], 'serverless.json', project);
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

describe("the deploy guide's front doors", () => {
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'));
  cpSync('dist', join(project, 'dist'), { recursive: true });

  it('can be an HTTP API', () => {
    const deployment = packageWith(httpApi as string);
    expect(deploymentFaults(deployment)).toEqual([]);
    const types = Object.values(deployment.template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::ApiGateway::'))).toEqual([]);
    const [integration] = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Integration');
    expect(integration?.Properties.PayloadFormatVersion).toBe('2.0');
    const [route] = resourcesOf(deployment.template, 'AWS::ApiGatewayV2::Route');
    expect(route?.Properties.RouteKey).toBe('$default');
    expect(deployment.template.Outputs).toHaveProperty('HttpApiUrl');
  });

  it('can be a function URL', () => {
    const deployment = packageWith(functionUrl as string);
    expect(deploymentFaults(deployment)).toEqual([]);
    const types = Object.values(deployment.template.Resources).map(({ Type }) => Type);
    expect(types.filter((type) => type.startsWith('AWS::ApiGateway'))).toEqual([]);
    expect(resourcesOf(deployment.template, 'AWS::Lambda::Url')[0]?.Properties.AuthType).toBe('NONE');
    const permissions = resourcesOf(deployment.template, 'AWS::Lambda::Permission');
    expect(permissions.map(({ Properties }) => Properties.Action).sort()).toEqual([
      'lambda:InvokeFunction',
      'lambda:InvokeFunctionUrl',
    ]);
    expect(deployment.template.Outputs).toHaveProperty('ApiLambdaFunctionUrl');
  });
});
