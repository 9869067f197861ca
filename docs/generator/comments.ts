import { readFileSync } from 'node:fs';
import { type ParserOptions, parse } from '@babel/parser';
import type { Comment as Block, Identifier, Node, ObjectProperty, SourceLocation, StringLiteral } from '@babel/types';

/** The comment above a declaration. */
export interface Comment {
  /** File and line of the declaration, for error messages. */
  readonly location: string;
  /** The text before the first tag, on one line; empty if there is none. */
  readonly summary: string;
  /** The tags by kind and name, as in `param id` or `response 404`: file and line, and the text behind the dash. */
  readonly tags: ReadonlyMap<string, { readonly location: string; readonly text: string }>;
}

/**
 * Reads the TSDoc comments above the constants of a TypeScript file, by the name of the constant, and above the members
 * of the objects that they hold, by `name.member.member`.
 */
export function readComments(file: string): ReadonlyMap<string, Comment> {
  const comments = new Map<string, Comment>();
  const read = (name: string, declaration: Node, value: Node | null | undefined) => {
    comments.set(name, commentOn(declaration, file));
    for (const member of membersOf(value)) read(`${name}.${nameOf(member)}`, member, member.value);
  };
  for (const statement of parse(readFileSync(file, 'utf8'), OPTIONS).program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declared?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declared.declarations) read((id as Identifier).name, statement, init);
  }
  return comments;
}

/** Returns the text of a tag such as `param id`; empty if there is none. */
export type Descriptions = (tag: string) => string;

/**
 * Takes the summary from the comment above a declaration.
 *
 * @throws Error with file and line, and the name of the declaration, if there is none.
 */
export function summaryOf({ summary, location }: Comment, name: string): string {
  if (summary) return summary;
  throw new Error(`${location}: ${name} needs a comment that says what it is or does`);
}

/**
 * Takes the tags from the comment above a declaration. Each of the needed tags must be there; only these and the possible
 * ones may be there. The name is for messages.
 *
 * @throws Error with file and line if a needed tag is missing or has no text, or if a tag describes something that isn't there.
 */
export function descriptionsOf(
  { tags, location }: Comment,
  name: string,
  { needed, possible }: { readonly needed: readonly string[]; readonly possible: readonly string[] },
): Descriptions {
  const missing = needed.find((tag) => !tags.get(tag)?.text);
  if (missing) throw new Error(`${location}: the comment on ${name} needs a line "@${missing} - …"`);
  for (const [tag, { location }] of tags) {
    if (needed.includes(tag) || possible.includes(tag)) continue;
    throw new Error(`${location}: "@${tag}" describes nothing that ${name} has`);
  }
  return (tag) => tags.get(tag)?.text ?? '';
}

const OPTIONS: ParserOptions = { sourceType: 'module', plugins: ['typescript'] };

/** The members of an object, which `as const` or `satisfies` may follow. */
function membersOf(value: Node | null | undefined): ObjectProperty[] {
  if (value?.type === 'TSAsExpression' || value?.type === 'TSSatisfiesExpression') return membersOf(value.expression);
  if (value?.type !== 'ObjectExpression') return [];
  return value.properties.filter((member) => member.type === 'ObjectProperty');
}

function nameOf({ key }: ObjectProperty): string {
  return key.type === 'Identifier' ? key.name : (key as StringLiteral).value;
}

function commentOn(declaration: Node, file: string): Comment {
  const location = `${file}:${lineOf(declaration)}`;
  const tags = new Map<string, { location: string; text: string }>();
  const block = declaration.leadingComments?.findLast(({ type, value }) => type === 'CommentBlock' && value[0] === '*');
  if (!block) return { location, summary: '', tags };
  let summary = '';
  let line = lineOf(block);
  for (const section of block.value.split(TAG_AHEAD)) {
    const sentence = oneLine(section);
    const [, tag, text = ''] = TAG.exec(sentence) ?? [];
    if (tag) tags.set(tag, { location: `${file}:${line}`, text });
    else summary = sentence;
    line += section.split('\n').length - 1;
  }
  return { location, summary, tags };
}

/** The start of a line with a tag. */
const TAG_AHEAD = /^(?=[ \t*]*@\w)/m;

/** As in `@response 404 - No item has this key.`: kind and name, and the text. */
const TAG = /^@(\w+ ?\S*) ?(?:- ?)?(.*)$/;

function lineOf({ loc }: Node | Block): number {
  return (loc as SourceLocation).start.line;
}

/** Joins lines, without the asterisks at their starts. */
function oneLine(text: string): string {
  return text
    .replace(/^[ \t]*\*+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
