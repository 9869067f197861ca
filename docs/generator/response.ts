import { STATUS_CODES } from 'node:http';
import { MEDIA_TYPES } from '../../shared/http/answer.js';
import type { AnswerDeclaration, AnyRoute } from '../../shared/routing/route.js';
import type { ObjectSchema, PropertySchema } from '../../shared/schema/schema.js';
import type { Descriptions } from './comments.js';
import { definitionName } from './definition-name.js';
import { HEADER_FIELDS } from './header-fields.js';
import type { Content, ResponseObject, Schema } from './openapi-document.js';
import { problemExample } from './problem-example.js';
import { answersOf, meaningOf } from './route-answers.js';

/**
 * Describes what a route answers, by status. An error's description is its meaning from the table of problems, and then
 * the text of the route's `@response`.
 */
export function describeResponses(route: AnyRoute, describe: Descriptions): Readonly<Record<string, ResponseObject>> {
  const responses: Record<string, ResponseObject> = {};
  for (const [status, answer] of Object.entries(answersOf(route))) {
    const fields = [...(answer.headers ?? []), ...(status === '503' ? (['Retry-After'] as const) : [])];
    const content = Number(status) < 400 ? itemsIn(answer) : problemIn(route, status);
    responses[status] = {
      description:
        `${meaningOf(route, status)} ${describe(`response ${status}`)}`.trim() || (STATUS_CODES[status] as string),
      ...(fields.length > 0 && { headers: Object.fromEntries(fields.map((name) => [name, HEADER_FIELDS[name]])) }),
      ...(content && { content }),
    };
  }
  return responses;
}

/** JSON comes first, because the service prefers it. */
function itemsIn({ content }: AnswerDeclaration): Content | undefined {
  if (!content) return undefined;
  const isList = Array.isArray(content);
  const item: ObjectSchema = isList ? content[0] : content;
  const stored: Schema = { $ref: `#/components/schemas/${definitionName(item.title, 'stored')}` };
  const schema = isList ? { type: 'array', items: stored } : stored;
  const example = exampleItemOf(item);
  const [plain, json, textJson] = MEDIA_TYPES;
  return {
    [json]: { schema, ...(example && { example: isList ? [example] : example }) },
    [textJson]: { schema },
    [plain]: { schema },
  };
}

/**
 * Makes an example of an item.
 *
 * @param has - Which members it has; all when left out.
 * @returns Undefined if one of these members has neither an example nor a default.
 */
export function exampleItemOf(
  { properties }: ObjectSchema,
  has: (name: string, member: PropertySchema) => boolean = () => true,
): object | undefined {
  const members = Object.entries<PropertySchema>(properties)
    .filter(([name, member]) => has(name, member))
    .map(([name, { example, default: omitted }]) => [name, example ?? omitted]);
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function problemIn(route: AnyRoute, status: string): Content {
  const schema = { $ref: '#/components/schemas/Problem' };
  const example = problemExample(route, status);
  return { 'application/problem+json': { schema, ...(example && { example }) } };
}
