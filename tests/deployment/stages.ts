import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll } from '@jest/globals';
import { name } from '../../package.json';
import { copyForPackaging, runAll, stagesFile } from './packaging.js';

/** A CloudFormation template, as far as the tests look into it. */
export interface Template {
  readonly Resources: Record<string, Resource>;
  readonly Outputs: Record<string, { readonly Value: unknown }>;
}

// biome-ignore lint/suspicious/noExplicitAny: each type of resource has its own properties.
export type Resource = { Type: string; Properties: any; DependsOn?: string | string[]; DeletionPolicy?: string };

/** The boundary of the function's role, as docs/deploy-from-ci.md names it. */
export const BOUNDARY = `arn:aws:iam::123456789012:policy/${name}-boundary`;

const memory = { alarmEmail: 'operator@example.com', accessLog: true, permissionsBoundary: BOUNDARY };
const origins = 'https://a.example.com,https://b.example.com';
const table = { ...memory, table: 'todo-items-live', corsOrigins: origins, logLevel: 'warn' };
const another = { ...table, table: 'other-items', alarmEmail: 'someone@example.com' };

/** The parameters that tests package the stage `live` with, by what is special about them. */
const STAGES = {
  defaults: {},
  'items in memory': memory,
  'items in a table': table,
  'signed calls, and another table': { ...another, signedCalls: true },
  'an HTTP API': { ...table, frontDoor: 'http' },
  'an HTTP API, by default': { frontDoor: 'http' },
  'signed calls of an HTTP API': { ...table, frontDoor: 'http', signedCalls: true },
  'a function URL': { ...table, frontDoor: 'url', accessLog: false },
  'a function URL, by default': { frontDoor: 'url' },
  'nothing reserved, and no log of requests': { ...memory, reservedConcurrency: 'none', logLevel: 'warn' },
  'no log': { ...table, logLevel: 'silent' },
  'no mail': { ...table, alarmEmail: '' },
} satisfies Record<string, object>;

export type Stage = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as Stage[];

/** Has a run write serverless/stages.yml for such a stage. */
export const filesOf = (stage: Stage) => stagesFile({ live: { table: 'none', tokenIssuer: 'none', ...STAGES[stage] } });

/** Packages all stages before the tests of a file, and returns the templates by the same names, as soon as tests run. */
export function packageStages(): Record<Stage, Template> {
  const project = copyForPackaging();
  const templates = {} as Record<Stage, Template>;
  beforeAll(async () => {
    const command = (index: number) => `package --stage live --package packaged/${index}`;
    const results = await runAll(
      project,
      STAGE_NAMES.map((stage, index) => ({ command: command(index), files: filesOf(stage) })),
    );
    for (const { code, printed } of results) if (code !== 0) throw new Error(printed);
    for (const [index, stage] of STAGE_NAMES.entries()) {
      const file = join(project, `packaged/${index}/cloudformation-template-update-stack.json`);
      templates[stage] = JSON.parse(readFileSync(file, 'utf8'));
    }
  });
  return templates;
}
