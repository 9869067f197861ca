import { readFileSync } from 'node:fs';
import { type ParserOptions, parse } from '@babel/parser';

/** What the comment above a declaration says. */
export interface Comment {
  /** Where the declaration stands, for error messages: file and line. */
  readonly place: string;
  /** The text before the first tag, on one line; empty where there is none. */
  readonly summary: string;
  /** The tags by kind (`param`, `header`, `response`) and name. */
  readonly tags: ReadonlyMap<string, Tag>;
}

/** One tag of a comment, as in `@response 404 - No item has this key.` */
export interface Tag {
  /** Where it stands: file and line. */
  readonly place: string;
  readonly text: string;
}

/**
 * Reads the TSDoc comments above the constants of a source file, and above the members of the objects they hold.
 *
 * @param file - The path of a TypeScript file.
 * @returns The comments by the name of the constant; those of members as `name.member.member`.
 */
export function readComments(file: string): ReadonlyMap<string, Comment> {
  const { program } = parse(readFileSync(file, 'utf8'), OPTIONS);
  const comments = new Map<string, Comment>();
  const visit = (node: Node, path: string, above: Node['leadingComments']) => {
    const declared = DECLARED[node.type]?.(node);
    const name = declared ? [path, declared].filter(Boolean).join('.') : path;
    if (declared) comments.set(name, commentOn(node, file, above));
    for (const child of childrenOf(node)) {
      // A constant's comment is that of the whole statement, `export` and all.
      const inherited = /^(Export|VariableDeclaration$)/.test(node.type) ? (node.leadingComments ?? above) : undefined;
      visit(child, name, child.leadingComments ?? inherited);
    }
  };
  visit(program as unknown as Node, '', undefined);
  return comments;
}

const OPTIONS: ParserOptions = { sourceType: 'module', plugins: ['typescript'] };

/** A node of the parsed file, as far as comments ask. */
interface Node {
  readonly type: string;
  readonly loc: { readonly start: { readonly line: number } };
  readonly leadingComments?: readonly (Node & { readonly value: string })[];
}

/** What has a comment of its own, and how its name is found. */
const DECLARED: Readonly<Record<string, (node: Node) => string>> = {
  VariableDeclarator: (node) => (node as Node & { id: { name: string } }).id.name,
  ObjectProperty: (node) => {
    const { key } = node as Node & { key: { name?: string; value?: unknown } };
    return key.name ?? String(key.value);
  },
};

function childrenOf(node: Node): Node[] {
  const { leadingComments: _leading, ...members } = node;
  const values: unknown[] = Object.values(members).flat();
  return values.filter((value): value is Node => typeof (value as Node | null)?.type === 'string');
}

/** As in `@response 404 - No item has this key.`: the kind, the name, and where the text begins. */
const TAG = /^@(\w+)\s*(\S*)\s*(?:-\s*)?(.*)$/;

function commentOn(node: Node, file: string, above: Node['leadingComments'] = []): Comment {
  const place = `${file}:${node.loc.start.line}`;
  const doc = above.findLast(({ type, value }) => type === 'CommentBlock' && value.startsWith('*'));
  if (!doc) return { place, summary: '', tags: new Map() };
  const summary: string[] = [];
  const tags: { readonly name: string; readonly place: string; readonly lines: string[] }[] = [];
  for (const [index, line] of doc.value.split('\n').entries()) {
    const text = line.replace(/^\s*\*+/, '').trim();
    const [, kind, name, told] = TAG.exec(text) ?? [];
    if (kind)
      tags.push({ name: `${kind} ${name}`, place: `${file}:${doc.loc.start.line + index}`, lines: [`${told}`] });
    else (tags.at(-1)?.lines ?? summary).push(text);
  }
  return {
    place,
    summary: oneLine(summary),
    tags: new Map(tags.map(({ name, place, lines }) => [name, { place, text: oneLine(lines) }])),
  };
}

function oneLine(lines: readonly string[]): string {
  return lines.join(' ').replace(/\s+/g, ' ').trim();
}
