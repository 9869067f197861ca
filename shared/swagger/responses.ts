import { MEDIA_TYPES } from '../http/answer.js';
import type { Answer, AnyRoute } from '../routing/route.js';
import type { ObjectSchema, PropertySchema } from '../schema/schema.js';
import type { Content, DescribedResponse, Schema } from './description.js';
import { describeField } from './header-fields.js';
import { problemExample } from './problem-example.js';
import { answersOf, wordsFor } from './statuses.js';
import type { Words } from './words.js';

/**
 * Describes what a route answers.
 *
 * @param route - The declaration.
 * @param words - The comment on it. What it says of an error follows what is the same for all operations of the kind.
 * @returns The responses, in the numerical order of their statuses.
 */
export function describeResponses(route: AnyRoute, words: Words): DescribedResponse[] {
  return answersOf(route).map(([status, answer]) => {
    const own = status < 300 ? undefined : words.optionalText('response', String(status));
    return {
      status,
      description: own ? `${wordsFor(route, status)} ${own}` : wordsFor(route, status),
      content: status < 400 ? itemsIn(answer) : problemFor(route, status),
      headers: [...(answer.headers ?? []), ...(status === 503 ? (['Retry-After'] as const) : [])].map(describeField),
    };
  });
}

function itemsIn({ content }: Answer): Content | undefined {
  if (!content) return undefined;
  const isList = Array.isArray(content);
  const schema: ObjectSchema = isList ? content[0] : content;
  const stored: Schema = { reference: { title: schema.title, form: 'stored' } };
  const item = exampleOf(schema);
  return {
    mediaTypes: MEDIA_TYPES,
    schema: isList ? { type: 'array', items: stored } : stored,
    example: isList && item ? [item] : item,
  };
}

function exampleOf(schema: ObjectSchema): object | undefined {
  const members = Object.entries<PropertySchema>(schema.properties).map(([name, { example, default: omitted }]) => {
    return [name, example ?? omitted];
  });
  return members.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(members);
}

function problemFor(route: AnyRoute, status: number): Content {
  const schema = { reference: { title: 'Problem' } };
  return { mediaTypes: ['application/problem+json'], schema, example: problemExample(route, status) };
}
