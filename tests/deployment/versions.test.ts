import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { idsOf, type Template } from '../../serverless/changes/deployed-stack.js';
import type { PARAMETERS } from '../../serverless/parameters/parameters.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { configurationWithoutBuild, copyForPackaging, type Run, runAll, stagesFile } from './packaging.js';
import { DOMAIN, PIPELINE } from './stages.js';

type Values = Readonly<Record<string, string>>;

const OPEN = { region: 'eu-central-1', table: 'items-live', tokenIssuer: 'none' };
const SIGN_IN = { ...OPEN, tokenIssuer: 'https://login.example.com', tokenAudience: 'todo', writeScope: 'write' };
const { deploymentRole, ...others } = PIPELINE;
const OWN_BUCKET = { ...OPEN, ...others };
const STAGES: readonly Values[] = [OPEN, SIGN_IN, OWN_BUCKET];

/** For each parameter, a stage and what changes in it, and whether that makes a version: code, variables and how both are run. */
const CHANGES: Record<keyof typeof PARAMETERS, readonly ['a version' | 'none', stage: Values, change: Values]> = {
  table: ['a version', OPEN, { table: 'other' }],
  tokenIssuer: ['a version', SIGN_IN, { tokenIssuer: 'https://other.example.com' }],
  tokenAudience: ['a version', SIGN_IN, { tokenAudience: 'other' }],
  listBy: ['a version', SIGN_IN, { listBy: 'team' }],
  readScope: ['a version', SIGN_IN, { readScope: 'read' }],
  writeScope: ['a version', SIGN_IN, { writeScope: 'change' }],
  tokenClient: ['a version', SIGN_IN, { tokenClient: 'client' }],
  corsOrigins: ['a version', OPEN, { corsOrigins: '*' }],
  logLevel: ['a version', OPEN, { logLevel: 'warn' }],
  memorySize: ['a version', OPEN, { memorySize: '1024' }],
  tracing: ['a version', OPEN, { tracing: 'true' }],
  region: ['none', OPEN, { region: 'eu-west-1' }],
  frontDoor: ['none', OPEN, { frontDoor: 'http' }],
  signedCalls: ['none', OPEN, { signedCalls: 'true' }],
  domain: ['none', OPEN, DOMAIN],
  certificate: ['none', OPEN, { ...DOMAIN, certificate: `${DOMAIN.certificate}4` }],
  hostedZone: ['none', OPEN, { ...DOMAIN, hostedZone: 'Z0123456789ABCDEFGHIJ' }],
  defaultAddress: ['none', OPEN, { ...DOMAIN, defaultAddress: 'false' }],
  throttle: ['none', OPEN, { throttle: '5' }],
  reservedConcurrency: ['none', OPEN, { reservedConcurrency: '5' }],
  logRetention: ['none', OPEN, { logRetention: '30' }],
  accessLog: ['none', OPEN, { accessLog: 'true' }],
  alarmEmail: ['none', OPEN, { alarmEmail: 'me@example.com' }],
  dashboard: ['none', OPEN, { dashboard: 'true' }],
  permissionsBoundary: ['none', OPEN, { permissionsBoundary: 'arn:aws:iam::123456789012:policy/boundary' }],
  functionRole: ['a version', OPEN, { functionRole: PIPELINE.functionRole }],
  deploymentRole: ['none', OWN_BUCKET, { deploymentRole }],
  deploymentBucket: ['none', OPEN, { deploymentBucket: PIPELINE.deploymentBucket }],
};

const project = copyForPackaging(temporaryFolder());
const configuration = configurationWithoutBuild();

/** The same stage, with something other than a parameter changed. */
const FILES: readonly (readonly [what: string, 'a version' | 'none', files: Readonly<Record<string, string>>])[] = [
  ['the code', 'a version', { 'dist/api.mjs': '// changed' }],
  ['the time-out', 'a version', { 'serverless.yml': configuration.replace(/(?<=^ *timeout: )\d+/m, '11') }],
  ['nothing', 'none', {}],
];

const names = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
let versions: string[];

beforeAll(async () => {
  const unchanged = { 'dist/api.mjs': '', 'serverless.yml': configuration };
  const stages = [...STAGES, ...names.map((name) => ({ ...CHANGES[name][1], ...CHANGES[name][2] }))];
  const runs: Run[] = [
    ...stages.map((stage) => ({ ...unchanged, ...stagesFile({ live: stage }) })),
    ...FILES.map(([, , files]) => ({ ...unchanged, ...stagesFile({ live: OPEN }), ...files })),
  ].map((files, index) => ({ command: `package --stage live --package packaged/${index}`, files }));
  for (const { code, printed } of await runAll(project, runs)) if (code !== 0) throw new Error(printed);
  versions = runs.map((_, index) => {
    const file = join(project, `packaged/${index}/cloudformation-template-update-stack.json`);
    return idsOf(JSON.parse(readFileSync(file, 'utf8')) as Template, 'AWS::Lambda::Version').join();
  });
});

describe('a version is made by what a version has', () => {
  it.each(names)('%s', (name) => {
    const [expected, stage] = CHANGES[name];
    const [before, after] = [versions[STAGES.indexOf(stage)], versions[STAGES.length + names.indexOf(name)]];
    expect(before).toMatch(/^ApiLambdaVersion\w+$/);
    expect(after === before ? 'none' : 'a version').toBe(expected);
  });

  it.each(FILES)('%s', (what, expected) => {
    const after = versions[STAGES.length + names.length + FILES.findIndex(([name]) => name === what)];
    expect(after === versions[0] ? 'none' : 'a version').toBe(expected);
  });
});

it('how Lambda writes the log stays as it is: Serverless Framework makes no version for it, so callers would never reach a change', () => {
  const { Resources } = JSON.parse(
    readFileSync(join(project, 'packaged/0/cloudformation-template-update-stack.json'), 'utf8'),
  ) as Template;
  expect(Resources.ApiLambdaFunction?.Properties.LoggingConfig).toEqual({
    LogFormat: 'JSON',
    ApplicationLogLevel: 'TRACE',
    SystemLogLevel: 'INFO',
  });
});
