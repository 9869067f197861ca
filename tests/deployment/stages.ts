import { join } from 'node:path';
import { beforeAll } from '@jest/globals';
import { name } from '../../package.json';
import { temporaryFolder } from '../support/temporary-folder.js';
import { copyForPackaging, type Parameters, readTemplate, runAll } from './packaging.js';
import type { Template } from './template.js';

/** The boundary of the function's role, as docs/deploy-from-ci.md names it. */
export const BOUNDARY = `arn:aws:iam::123456789012:policy/${name}-boundary`;

const memory = { alarmEmail: 'operator@example.com', accessLog: true, permissionsBoundary: BOUNDARY };
const origins = 'https://a.example.com,https://b.example.com';
const table = { ...memory, table: 'todo-items-live', corsOrigins: origins, logLevel: 'warn' };

/** The parameters that tests package the stage `live` with, by what is special about them. */
const STAGES = {
  defaults: {},
  'items in memory': memory,
  'items in a table': table,
  'another table': { table: 'other-items', alarmEmail: 'someone@example.com' },
  'signed calls': { ...table, signedCalls: true },
  'an HTTP API': { ...table, frontDoor: 'http' },
  'an HTTP API, in memory': { ...memory, frontDoor: 'http' },
  'an HTTP API, by default': { frontDoor: 'http' },
  'signed calls of an HTTP API': { ...table, frontDoor: 'http', signedCalls: true },
  'a function URL': { ...table, frontDoor: 'url', accessLog: false },
  'a function URL, in memory': { ...memory, frontDoor: 'url', accessLog: false },
  'a function URL, by default': { frontDoor: 'url' },
  'nothing reserved, so that nothing should be refused': { ...memory, reservedConcurrency: 'none' },
  'no log of requests, so that none counts collections lost': { ...memory, logLevel: 'warn' },
  'no log': { ...table, logLevel: 'silent' },
  'no access log': { ...table, accessLog: false },
  'no access log of an HTTP API': { ...table, frontDoor: 'http', accessLog: false },
  'no mail': { ...table, alarmEmail: '' },
} satisfies Record<string, Parameters>;

export type Stage = keyof typeof STAGES;
export const STAGE_NAMES = Object.keys(STAGES) as Stage[];

/** The parameters of a stage by its name. */
export const parametersOf = (stage: Stage): Parameters => ({ table: 'none', tokenIssuer: 'none', ...STAGES[stage] });

/** Packages stages before the tests of a file, and returns the templates by the same names, as soon as tests run. */
export function packageStages<Name extends Stage>(...stages: readonly Name[]): Record<Name, Template> {
  const project = join(temporaryFolder(), 'project');
  const templates = {} as Record<Name, Template>;
  const runs = stages.map((stage) => ({
    command: ['package', '--stage', 'live', '--package', `packaged/${stage}`],
    stages: { live: parametersOf(stage) },
  }));
  beforeAll(async () => {
    await runAll(copyForPackaging(project), runs);
    for (const stage of stages) templates[stage] = readTemplate(join(project, 'packaged', stage));
  });
  return templates;
}
