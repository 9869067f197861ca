import { readFileSync } from 'node:fs';
import ts from 'typescript';

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
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const comments = new Map<string, Comment>();
  const visit = (node: ts.Node, path: string) => {
    let name = path;
    if (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) {
      name = [path, node.name.getText()].filter(Boolean).join('.');
      comments.set(name, commentOn(node, source));
    }
    ts.forEachChild(node, (child) => visit(child, name));
  };
  visit(source, '');
  return comments;
}

function commentOn(node: ts.Node, source: ts.SourceFile): Comment {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  const tags = ts.getJSDocTags(node).map((tag): [string, Tag] => {
    // A parameter's name is parsed away from its text, all other names are its first word.
    const parameter = ts.isJSDocParameterTag(tag) ? `${tag.name.getText()} ` : '';
    const [, name, text] = /^(\S*)\s*(?:-\s*)?(.*)$/.exec(parameter + textOf(tag.comment)) as unknown as [
      string,
      string,
      string,
    ];
    return [`${tag.tagName.text} ${name}`, { place: placeOf(tag, source), text }];
  });
  return { place: placeOf(node, source), summary: textOf(doc?.comment), tags: new Map(tags) };
}

function textOf(comment: string | ts.NodeArray<ts.JSDocComment> | undefined): string {
  return (ts.getTextOfJSDocComment(comment) ?? '').replace(/\s+/g, ' ');
}

function placeOf(node: ts.Node, source: ts.SourceFile): string {
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}
