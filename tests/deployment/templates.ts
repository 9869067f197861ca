import { readFileSync } from 'node:fs';
import swagger from '../../docs/swagger.json';
import { name, title } from '../../package.json';
import { parseYaml } from '../../serverless/local/parse-yaml.js';
import { packageStages, type Template } from './packaging.js';
import { STAGE_NAMES } from './stages.js';
import { normalized } from './updates.js';

/** What the templates in templates/ are called, by the names of their files: the stages, and the stack of the table. */
export const TEMPLATE_NAMES = [...STAGE_NAMES, 'table'] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** Makes the templates of the project as it is, from a folder that copyForPackaging has made. */
export async function makeTemplates(project: string): Promise<Record<TemplateName, Template>> {
  const stages = await packageStages(project, STAGE_NAMES);
  const table = parseYaml(readFileSync('serverless/dynamodb-table.yml', 'utf8')) as Template;
  const templates = [...stages.map(normalized), table];
  return Object.fromEntries(TEMPLATE_NAMES.map((name, index) => [name, templates[index]])) as never;
}

/** The file of a template. */
export function fileOf(template: TemplateName): string {
  return `tests/deployment/templates/${template}.json`;
}

/** Reads a template of templates/. In a service of somebody's own, it has that service's name, title and path. */
export function committedTemplate(template: TemplateName): Template {
  const [path = ''] = Object.keys(swagger.paths);
  const own = { 'todo-item-service': name, 'To-do Item Service': title, 'api/todo': path.slice(1) };
  return JSON.parse(readFileSync(fileOf(template), 'utf8'), (_key, value) =>
    typeof value === 'string'
      ? Object.entries(own).reduce((text, [from, to]) => text.replaceAll(from, () => to), value)
      : value,
  );
}
