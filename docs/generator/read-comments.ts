import { readFileSync } from 'node:fs';
import { type ParserOptions, parse } from '@babel/parser';
import type { Comment as Block, Identifier, Node, ObjectProperty, SourceLocation, StringLiteral } from '@babel/types';
import type { Comment } from './comments.js';

/**
 * Reads the TSDoc comments above the constants of a TypeScript file, by the name of the constant, and above the members
 * of the objects in them, by `name.member.member`.
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

const OPTIONS: ParserOptions = { sourceType: 'module', plugins: ['typescript'] };

/** `as const` or `satisfies` may follow the object. */
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

/** For example `@response 404 - No item has this key.` */
const TAG = /^@(\w+ ?\S*) ?(?:- ?)?(.*)$/;

function lineOf({ loc }: Node | Block): number {
  return (loc as SourceLocation).start.line;
}

/** Without the asterisks at the starts of lines. */
function oneLine(text: string): string {
  return text
    .replace(/^[ \t]*\*+/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
}
