/** What was typed into a row, and the version that it is to replace. */
export interface Edit {
  readonly text: string;
  /** The name when the edit began. */
  readonly former: string;
  readonly etag: string;
}

/** A creation whose answer has not come. */
export interface Sent {
  readonly name: string;
  readonly key: string;
  /** When it was first sent. */
  readonly time: number;
}

interface Content {
  readonly owner: string;
  readonly text: string;
  readonly sent?: Sent | undefined;
  readonly edits: Readonly<Record<string, Edit>>;
}

const STORED = 'drafts';
/** For how long a creation can be sent again under its key, in milliseconds: a little less than the service's hour. */
const LIFETIME = 55 * 60_000;

/**
 * What a person has typed and the service does not have yet. It is kept in the tab, so that it is there again after a redirect,
 * until another person signs in.
 */
export class Drafts {
  #content: Content;

  /** @param owner - The id of the person whose drafts they are; empty without sign-in. */
  constructor(owner: string) {
    const stored: Content | null = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    this.#content = { owner, text: '', edits: {} };
    if (stored?.owner === owner) this.#content = stored;
    else sessionStorage.removeItem(STORED);
  }

  /** What was typed for a new item. */
  get text(): string {
    return this.#content.text;
  }

  set text(text: string) {
    this.#keep({ text });
  }

  /** What was typed into rows, by the keys of their items. */
  get edits(): Readonly<Record<string, Edit>> {
    return this.#content.edits;
  }

  keepEdit(key: string, edit: Edit | undefined): void {
    const { [key]: _former, ...others } = this.#content.edits;
    this.#keep({ edits: edit ? { ...others, [key]: edit } : others });
  }

  /** The creation of this name whose answer has not come, if it may have reached the service. */
  sentBefore(name: string): Sent | undefined {
    const { sent } = this.#content;
    return sent?.name === name ? sent : undefined;
  }

  /** Whether the service may have forgotten the key of a creation, so that sending it again could make a second item. */
  isOld({ time }: Sent): boolean {
    return Date.now() - time > LIFETIME;
  }

  /** @returns The key for a creation, the same until its answer has come or {@link endCreation} is called. */
  beginCreation(name: string): string {
    const sent = this.sentBefore(name) ?? { name, key: crypto.randomUUID(), time: Date.now() };
    this.#keep({ sent });
    return sent.key;
  }

  endCreation(): void {
    this.#keep({ sent: undefined });
  }

  #keep(change: Partial<Content>): void {
    this.#content = { ...this.#content, ...change };
    sessionStorage.setItem(STORED, JSON.stringify(this.#content));
  }
}
