import type { Comment } from './comments.js';

/** Hands out the words of a comment, and sees to it that it says just what the declaration needs said. */
export class Words {
  readonly #comment: Comment;
  readonly #subject: string;
  readonly #taken = new Set<string>();

  /**
   * @param comment - The comment above a declaration.
   * @param subject - What it declares, for error messages.
   */
  constructor(comment: Comment, subject: string) {
    this.#comment = comment;
    this.#subject = subject;
  }

  /**
   * @returns The summary.
   * @throws Error with the place when there is none.
   */
  summary(): string {
    if (this.#comment.summary) return this.#comment.summary;
    throw new Error(`${this.place}: ${this.#subject} needs a comment that says what it is or does`);
  }

  /** Where the declaration stands, for error messages: file and line. */
  get place(): string {
    return this.#comment.place;
  }

  /**
   * @returns The summary, of an operation.
   * @throws Error with the place when there is none, or when it is too long for one line of a list of operations: Swagger
   * 2.0 wants less than 120 characters.
   */
  shortSummary(): string {
    const summary = this.summary();
    if (summary.length < 120) return summary;
    const cure = 'say the rest where it belongs, about a parameter or a response';
    throw new Error(
      `${this.place}: the summary of ${this.#subject} has ${summary.length} characters, not below 120: ${cure}`,
    );
  }

  /**
   * @param kind - The kind of tag.
   * @param name - What it is about.
   * @returns The tag's text.
   * @throws Error with the place when there is no such tag, or no text in it.
   */
  text(kind: 'param', name: string): string {
    this.#taken.add(`${kind} ${name}`);
    const text = this.#comment.tags.get(`${kind} ${name}`)?.text;
    if (text) return text;
    throw new Error(`${this.place}: the comment on ${this.#subject} needs a line "@${kind} ${name} - …"`);
  }

  /**
   * @param kind - The kind of tag.
   * @param name - What it is about.
   * @returns The tag's text; undefined where there is no such tag.
   */
  optionalText(kind: 'response', name: string): string | undefined {
    this.#taken.add(`${kind} ${name}`);
    return this.#comment.tags.get(`${kind} ${name}`)?.text;
  }

  /** @throws Error with the place of a tag that nobody asked for, because what it is about isn't there. */
  finish(): void {
    for (const [name, { place }] of this.#comment.tags) {
      if (!this.#taken.has(name)) throw new Error(`${place}: ${this.#subject} has nothing that "@${name}" is about`);
    }
  }
}
