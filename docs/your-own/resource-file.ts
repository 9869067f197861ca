import type { Names } from './names.js';
import { withoutToDos } from './texts.js';

/** One line for each kind of member. Without the slashes, it is declared: `npm run your-own:trial` removes them, and compiles it. */
const OTHER_MEMBERS = [
  "/** How the customer gets it. */ way: { type: 'string', enum: ['here', 'to go'], default: 'here', example: 'to go' },",
  "/** What else there is to know. */ note: { type: 'string', maxLength: 200, nullable: true, default: null, example: 'soon' },",
  "/** The day it is for. */ day: { type: 'string', format: 'date', nullable: true, default: null, example: '2026-11-20' },",
  "/** When it has to be there. */ due: { type: 'string', format: 'date-time', nullable: true, default: null },",
  "/** Another item's key. */ related: { type: 'string', format: 'uuid', nullable: true, default: null },",
  "/** How many there are. */ count: { type: 'integer', minimum: 1, maximum: 100, default: 1, example: 2 },",
  "/** What one costs. */ price: { type: 'number', exclusiveMinimum: 0, default: 1, example: 12.5 },",
  "/** True when it is done. */ isDone: { type: 'boolean', default: false, example: false },",
  "/** Words to find it by. */ tags: { type: 'array', items: { type: 'string', minLength: 1 }, maxItems: 10, default: [] },",
];

/** The names of to-dos in the order in which they are replaced: any that is left afterwards is an error. */
const NAMES: readonly [RegExp, keyof Names][] = [
  [/\/api\/todo/g, 'path'],
  [/\btodoItem\b/g, 'identifier'],
  [/\bapiTodo|\bApiTodo/g, 'operations'],
];

/**
 * Makes the file of a resource from that of to-dos: the same operations, and a schema to begin with.
 *
 * @param todo - `functions/todo.ts`.
 * @throws Error if a word about to-dos would be left.
 */
export function resourceFile(todo: string, names: Names): string {
  const schema =
    /\/\*\* An item of the to-do list\. \*\/\nexport const todoItem = .*?\n} as const satisfies ObjectSchema;\n/s;
  const resource = /const todos = resource\(.*?\);\n/s;
  const [key] = /( {4}\/\*\* The key of the item,.*?\*\/\n {4}key: .*?,\n)/s.exec(todo) ?? [];
  if (!key || !schema.test(todo) || !resource.test(todo))
    throw new Error('functions/todo.ts does not begin as expected.');
  const named = NAMES.reduce(
    (text, [word, form]) => text.replace(word, mark(form)),
    todo
      .replace(schema, mark('schema'))
      .replace(resource, mark('service'))
      .replace(/\btodos\b/g, `${mark('identifier')}Resource`)
      .replace(/, example: todoItem\.properties\.isComplete\S*/g, '')
      .replace(/^.*isComplete.*\n/gm, '')
      .replace(/\{\s*\.\.\.query,\s*\}/, 'query'),
  );
  const marked = withoutToDos(named);
  const left = /^.*to-?do.*$/im.exec(marked);
  if (left) throw new Error(`functions/todo.ts has a word about to-dos that has no other one: ${left[0].trim()}`);
  return marked
    .replace(mark('schema'), schemaOf(names, key))
    .replace(
      mark('service'),
      `const ${names.identifier}Resource = resource({ name: '${names.name}', schema: ${names.identifier} });\n`,
    )
    .replace(/«(\w+)»/g, (_, form: keyof Names) => names[form]);
}

const mark = (form: keyof Names) => `«${form}»`;

function schemaOf({ identifier, schema, words }: Names, key: string): string {
  return `/** One ${words}. */
export const ${identifier} = {
  title: '${schema}',
  properties: {
${key}    /** What it is called. */
    name: { type: 'string', minLength: 1, maxLength: 200, example: 'The first one' },
    // Other members, one of each kind. A member without a default is required; the comment is what the documents say.
${OTHER_MEMBERS.map((line) => `    // ${line}\n`).join('')}  },
} as const satisfies ObjectSchema;
`;
}
