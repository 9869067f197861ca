import type { Comment } from './comments.js';

/** Gives the text of a tag such as `param id`; nothing where there is none. */
export type Words = (tag: string) => string;

/**
 * Takes the summary from a comment.
 *
 * @param comment - The comment above a declaration.
 * @param subject - What it declares, for the message.
 * @returns The summary.
 * @throws Error with file and line when there is none.
 */
export function summaryOf({ summary, place }: Comment, subject: string): string {
  if (summary) return summary;
  throw new Error(`${place}: ${subject} needs a comment that says what it is or does`);
}

/**
 * Takes the tags from a comment, and sees to it that they say just what the declaration needs said.
 *
 * @param comment - The comment above a declaration.
 * @param subject - What it declares, for messages.
 * @param declared - The tags that there must be, and those that there may be.
 * @returns Their texts.
 * @throws Error with file and line when a tag is missing or has no text, or is about what isn't there.
 */
export function tagsOf(
  { tags, place }: Comment,
  subject: string,
  { needed, possible }: { readonly needed: readonly string[]; readonly possible: readonly string[] },
): Words {
  const missing = needed.find((tag) => !tags.get(tag)?.text);
  if (missing) throw new Error(`${place}: the comment on ${subject} needs a line "@${missing} - …"`);
  for (const [tag, { place }] of tags) {
    if (needed.includes(tag) || possible.includes(tag)) continue;
    throw new Error(`${place}: ${subject} has nothing that "@${tag}" is about`);
  }
  return (tag) => tags.get(tag)?.text ?? '';
}
