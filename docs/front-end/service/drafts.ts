import { tabStorage } from './tab-storage.js';

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

/** A change that a person has asked for. All but a creation have the key of an item. */
export type Change =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'remove'; readonly key: string }
  | { readonly kind: 'tick'; readonly key: string; readonly isComplete: boolean };

interface Content {
  readonly owner: string;
  readonly text: string;
  readonly sent?: Sent | undefined;
  readonly edits: Readonly<Record<string, Edit>>;
  /** Those whose answers have not come, the oldest first. */
  readonly changes: readonly Change[];
}

/** No other program on this origin, such as the next one on this port of a developer's machine, uses this name. */
const STORED = 'todo-app.drafts';
/** For how long a creation can be sent again under its key, in milliseconds: a little less than the service's hour. */
const LIFETIME = 55 * 60_000;

/**
 * What a person has typed and the service does not have yet. It is kept in the tab, so that it is there again after a redirect,
 * until another person signs in.
 */
export class Drafts {
  readonly #storage = tabStorage();
  #content: Content;
  #unanswered: readonly Change[];

  /**
   * @param owner - The id of the person whose drafts they are; empty without sign-in.
   * @throws Failure if the browser stores nothing for this site.
   */
  constructor(owner: string) {
    const stored = parse(this.#storage.getItem(STORED));
    const { changes, ...others } = stored?.owner === owner ? stored : { owner, text: '', edits: {}, changes: [] };
    this.#unanswered = changes;
    this.#content = { ...others, changes: [] };
    this.#keep({});
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

  /**
   * Makes a change, and keeps it as long as its answer has not come.
   *
   * @param call - Makes it.
   */
  async change<Result>(change: Change, call: () => Promise<Result>): Promise<Result> {
    this.#keep({ changes: [...this.#content.changes, change] });
    try {
      return await call();
    } finally {
      this.#keep({ changes: this.#content.changes.filter((one) => one !== change) });
    }
  }

  /** @returns The changes whose answers had not come when this person last left the page; no second time. */
  takeUnanswered(): readonly Change[] {
    const taken = this.#unanswered;
    this.#unanswered = [];
    return taken;
  }

  #keep(change: Partial<Content>): void {
    this.#content = { ...this.#content, ...change };
    this.#storage.setItem(STORED, JSON.stringify(this.#content));
  }
}

/** @returns What was kept; undefined if there is nothing, or it is of another program. */
function parse(stored: string | null): Content | undefined {
  try {
    const { owner, text, sent, edits, changes } = JSON.parse(stored ?? '');
    const isOurs = typeof text === 'string' && typeof edits === 'object' && Array.isArray(changes);
    return isOurs ? { owner, text, sent, edits, changes } : undefined;
  } catch {
    return undefined;
  }
}
