export interface Comment {
  /** File and line of the declaration, for error messages. */
  readonly location: string;
  /** The text before the first tag, on one line; may be empty. */
  readonly summary: string;
  /** By kind and name, as in `param id` or `response 404`. `text` is what follows the dash. */
  readonly tags: ReadonlyMap<string, { readonly location: string; readonly text: string }>;
}

/** Takes a tag, for example `param id`; empty if there is none. */
export type Descriptions = (tag: string) => string;

/** @throws Error with file and line, and the name of the declaration, if there is no summary. */
export function summaryOf({ summary, location }: Comment, name: string): string {
  if (summary) return summary;
  throw new Error(`${location}: ${name} needs a comment that says what it is or does`);
}

/**
 * Takes the tags from the comment above a declaration: all of the needed, and none besides the needed and the possible
 * ones.
 *
 * @param name - For messages.
 * @throws Error with file and line if a needed tag is missing or has no text, or if a tag describes something that
 * isn't there.
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
