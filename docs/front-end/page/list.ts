import type { Change, Drafts } from '../service/drafts.js';
import type { Item, ToDos } from '../service/to-dos.js';
import { find } from './element.js';
import { report } from './message.js';
import { Row, type ShownItem, type Surroundings } from './row.js';
import { showUnmade } from './unmade.js';
import { showWork } from './work.js';

/** The list as the page shows it. Its rows stay when it is loaded anew, with whatever is being done in them. */
export class List implements Surroundings {
  readonly toDos: ToDos;
  readonly drafts: Drafts;
  readonly #element = find('ul');
  readonly #filter = find<HTMLInputElement>('#filter input');
  readonly #empty = find('#empty');
  readonly #field = find('#adding input');
  readonly #rows = new Map<string, Row>();
  readonly #retry = () => void this.refresh();
  /** The load that is under way. */
  #loading: AbortController | undefined;
  #isLoaded = false;

  constructor(toDos: ToDos, drafts: Drafts) {
    this.toDos = toDos;
    this.drafts = drafts;
    this.#filter.onchange = this.#retry;
  }

  /** Loads the list, and says why if it can't. It has what the person was doing before a redirect. */
  async refresh(): Promise<void> {
    const isLoaded = await report(() => this.load(), this.#retry);
    this.#restoreEdits();
    if (isLoaded) await report(() => showUnmade(this));
  }

  /** Loads the list. If it is loaded again before that is done, or something is written, the newer list is shown. */
  async load(): Promise<void> {
    this.#loading?.abort();
    const loading = new AbortController();
    this.#loading = loading;
    this.#element.ariaBusy = 'true';
    const which = this.#filter.checked ? {} : { isComplete: false };
    try {
      const items = await showWork(find('#filter'), 'Loading', () =>
        this.toDos.list({ ...which, signal: loading.signal }),
      );
      this.#show(items);
    } catch (error) {
      if (this.#loading === loading) throw error;
    } finally {
      if (this.#loading === loading) {
        this.#loading = undefined;
        this.#element.ariaBusy = 'false';
      }
    }
  }

  /** Writes a change. A list that is being loaded meanwhile may lack it, so it is loaded again. */
  async write<Result>(change: Change, call: () => Promise<Result>): Promise<Result> {
    try {
      return await this.drafts.change(change, call);
    } finally {
      if (this.#loading) void this.refresh();
    }
  }

  /** Finds a row by the key of its item. */
  row(key: string): Row | undefined {
    return this.#rows.get(key);
  }

  /** Adds a row for a new item. */
  add(item: Item): void {
    if (this.#rows.has(item.key)) return;
    this.#insert(item, null).element.scrollIntoView({ block: 'nearest' });
    this.#showWhetherEmpty();
  }

  drop(row: Row, isFocused = row.hasFocus): void {
    const { element, key } = row;
    const next = element.nextElementSibling ?? element.previousElementSibling;
    element.remove();
    this.#rows.delete(key);
    if (isFocused) (next?.querySelector<HTMLElement>('input, button') ?? this.#field).focus();
    this.#showWhetherEmpty();
  }

  /** Shows the whole list, done or not. */
  async loadAll(): Promise<void> {
    this.#filter.checked = true;
    await this.load();
  }

  /** How many items that are shown have a name. */
  countOf(name: string): number {
    return [...this.#rows.values()].filter((row) => row.isNamed(name)).length;
  }

  /** Opens the rows that the person was typing into. */
  #restoreEdits(): void {
    for (const [key, edit] of Object.entries(this.drafts.edits)) {
      const listed = this.#rows.get(key);
      if (listed?.isEdited) continue;
      const row = listed ?? this.#insert({ key, name: edit.former, isComplete: false }, null);
      row.edit(edit);
      if (!listed) row.update(undefined);
    }
    this.#showWhetherEmpty();
  }

  #show(items: readonly Item[]): void {
    const listed = new Map(items.map((item) => [item.key, item]));
    for (const row of this.#rows.values()) row.update(listed.get(row.key));
    const isOther = (element: Element | null) => element !== null && !listed.has(element.id);
    let next = this.#element.firstElementChild;
    for (const item of items) {
      while (isOther(next)) next = next?.nextElementSibling ?? null;
      const row = this.#rows.get(item.key);
      // A row that stays where it is keeps the focus.
      if (next !== null && row?.element === next) next = next.nextElementSibling;
      else if (row) this.#element.insertBefore(row.element, next);
      else this.#insert(item, next);
    }
    this.#isLoaded = true;
    this.#showWhetherEmpty();
  }

  #insert(item: ShownItem, before: Element | null): Row {
    const row = new Row(this, item);
    this.#rows.set(item.key, row);
    this.#element.insertBefore(row.element, before);
    return row;
  }

  /** Only a list that has come is known to be empty. */
  #showWhetherEmpty(): void {
    this.#empty.hidden = !this.#isLoaded || this.#rows.size > 0;
  }
}
