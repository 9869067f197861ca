export interface Comment {
  /** File and line of the declaration, for error messages. */
  readonly location: string;
  /** The text before the first tag, on one line; empty if there is none. */
  readonly summary: string;
  /** The tags by kind and name, as in `param id` or `response 404`: file and line, and the text behind the dash. */
  readonly tags: ReadonlyMap<string, { readonly location: string; readonly text: string }>;
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
