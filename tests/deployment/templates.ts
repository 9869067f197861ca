import { readFileSync } from 'node:fs';
import { normalized, type Template } from '../../serverless/changes/deployed-stack.js';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { packageStages } from './packaging.js';
import { STAGE_NAMES, type StageName } from './stages.js';

/**
 * What the templates in templates/ are called, by the names of their files: the stack of the table, and stages that have between them
 * each type of resource with each front door. A reviewer reads them.
 */
export const TEMPLATE_NAMES = ['rest-memory', 'rest-signed', 'http-signed', 'url-sign-in', 'table'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Makes the templates of the project as it is, of all stages and of the table, from a folder that copyForPackaging has made. */
export async function makeTemplates(project: string): Promise<Record<StageName | 'table', Template>> {
  const stages = await packageStages(project, STAGE_NAMES);
  const table = parseYaml(readFileSync('serverless/dynamodb-table.yml', 'utf8')) as Template;
  return {
    ...Object.fromEntries(STAGE_NAMES.map((name, index) => [name, normalized(stages[index] as Template)])),
    table,
  } as never;
}

/** The file of a template. */
export function fileOf(template: TemplateName): string {
  return `tests/deployment/templates/${template}.json`;
}

/** Reads a template of templates/. */
export function committedTemplate(template: TemplateName): Template {
  return JSON.parse(readFileSync(fileOf(template), 'utf8'));
}
