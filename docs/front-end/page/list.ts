import type { Drafts } from '../service/drafts.js';
import type { Item, ToDos } from '../service/to-dos.js';
import { find } from './element.js';
import { report } from './message.js';
import { Row, type ShownItem } from './row.js';

/** The list as the page shows it. Its rows stay when it is loaded anew, with whatever is being done in them. */
export class List {
  readonly toDos: ToDos;
  readonly drafts: Drafts;
  readonly #element = find('ul');
  readonly #filter = find<HTMLInputElement>('#filter input');
  readonly #rows = new Map<string, Row>();
  readonly #retry = () => void this.refresh();
  /** The load that is under way. */
  #loading: AbortController | undefined;

  constructor(toDos: ToDos, drafts: Drafts) {
    this.toDos = toDos;
    this.drafts = drafts;
    this.#filter.onchange = this.#retry;
  }

  /** Loads the list, and says why if it can't. */
  refresh(): Promise<boolean> {
    return report(() => this.load(), this.#retry);
  }

  /** Loads the list. If it is loaded again before that is done, or something is written, the newer list is shown. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#element.ariaBusy = 'true';
    const which = this.#filter.checked ? {} : { isComplete: false };
    try {
      this.#show(await this.toDos.list({ ...which, signal: loading.signal }));
    } catch (error) {
      if (this.#loading === loading) throw error;
    } finally {
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#element.ariaBusy = 'false';
      }
    }
  }

  /** Writes something. A list that is being loaded meanwhile may lack the change, so it is loaded again. */
  async write<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } finally {
      if (this.#loading) void this.refresh();
    }
  }

  /** Adds a row for a new item. */
  add(item: Item): void {
    if (this.#rows.has(item.key)) return;
    this.#insert(item, null).element.scrollIntoView({ block: 'nearest' });
    this.#showWhetherEmpty();
  }

  /** Takes a row away. If a person works in it, they go on in the next one. */
  drop(row: Row, isFocused = row.hasFocus): void {
    const { element, key } = row;
    const next = element.nextElementSibling ?? element.previousElementSibling;
    element.remove();
    this.#rows.delete(key);
    if (isFocused) (next?.querySelector<HTMLElement>('input, button') ?? find('#adding input')).focus();
    this.#showWhetherEmpty();
  }

  /** Shows the whole list, done or not. @returns How many items have a name. */
  async countOf(name: string): Promise<number> {
    this.#filter.checked = true;
    await this.load();
    return [...this.#rows.values()].filter((row) => row.isNamed(name)).length;
  }

  /** Opens again the rows that the person was typing into before a redirect. */
  restoreEdits(): void {
    for (const [key, edit] of Object.entries(this.drafts.edits)) {
      const listed = this.#rows.get(key);
      const row = listed ?? this.#insert({ key, name: edit.former, isComplete: false }, null);
      row.isListed = listed !== undefined;
      row.edit(edit);
    }
    this.#showWhetherEmpty();
  }

  #show(items: readonly Item[]): void {
    const keys = new Set(items.map(({ key }) => key));
    for (const row of this.#rows.values()) {
      row.isListed = keys.has(row.key);
      if (!row.isListed && !row.isEdited) this.drop(row);
    }
    const isOther = (element: Element | null) => element !== null && !keys.has(element.id);
    let next = this.#element.firstElementChild;
    for (const item of items) {
      while (isOther(next)) next = next?.nextElementSibling ?? null;
      const row = this.#rows.get(item.key);
      row?.update(item);
      // A row that stays where it is keeps the focus.
      if (next !== null && row?.element === next) next = next.nextElementSibling;
      else if (row) this.#element.insertBefore(row.element, next);
      else this.#insert(item, next);
    }
    this.#showWhetherEmpty();
  }

  #insert(item: ShownItem, before: Element | null): Row {
    const row = new Row(this, item);
    this.#rows.set(item.key, row);
    this.#element.insertBefore(row.element, before);
    return row;
  }

  #showWhetherEmpty(): void {
    find('#empty').hidden = this.#rows.size > 0;
  }
}
