import type { Change, Drafts, Edit } from '../service/drafts.js';
import { Failure } from '../service/failure.js';
import type { Item, ToDos } from '../service/to-dos.js';
import { ask } from './ask.js';
import { element } from './element.js';
import { announce, attempt, showMessage } from './message.js';
import { showWork } from './work.js';

/** What a row shows of an item, whichever members are added to it. */
export type ShownItem = Pick<Item, 'key' | 'name' | 'isComplete'>;

/** What a row uses of the list that shows it. */
export interface Surroundings {
  readonly toDos: ToDos;
  readonly drafts: Drafts;
  write<Result>(change: Change, call: () => Promise<Result>): Promise<Result>;
  /** Loads the list again. */
  load(): Promise<void>;
  /** Takes a row away. If a person works in it, they go on in the next one. */
  drop(row: Row, isFocused?: boolean): void;
}

/** One item of the list. */
export class Row {
  readonly element: HTMLLIElement;
  readonly #list: Surroundings;
  readonly #box = element('input', { type: 'checkbox' });
  readonly #name = element('span');
  readonly #editing = element('button', { type: 'button', textContent: 'Edit' });
  readonly #deleting = element('button', { type: 'button', textContent: 'Delete' });
  #item: ShownItem;
  /** What is typed. */
  #edit: Edit | undefined;
  /** Whether the list that was loaded last has the item. */
  #isListed = true;
  #isTicking = false;
  #isBusy = false;

  constructor(list: Surroundings, item: ShownItem) {
    this.#list = list;
    this.#item = item;
    this.element = element('li', { id: item.key });
    this.#box.onchange = () => void attempt(() => this.#tick());
    this.#editing.onclick = () => void this.#once('Loading', () => this.#startEdit());
    this.#deleting.onclick = () => void this.#delete();
    this.#render();
    this.#show();
  }

  get key(): string {
    return this.#item.key;
  }

  get isEdited(): boolean {
    return this.#edit !== undefined;
  }

  get hasFocus(): boolean {
    return this.element.contains(document.activeElement);
  }

  isNamed(name: string): boolean {
    return this.#item.name === name;
  }

  get isComplete(): boolean {
    return this.#item.isComplete;
  }

  /** Shows the item as it is now. A row whose item the list no longer has goes, unless a person types into it. */
  update(item: ShownItem | undefined): void {
    this.#isListed = item !== undefined;
    if (item) this.#item = item;
    this.#render();
    this.#dropUnlessNeeded();
  }

  /** Ticks the box, or takes the tick back. */
  tick(isComplete: boolean): void {
    this.#box.checked = isComplete;
    void attempt(() => this.#tick());
  }

  /** Puts the focus on what makes a change. */
  focus(kind: 'tick' | 'rename' | 'remove'): void {
    const input = this.element.querySelector('input');
    (kind === 'remove' ? this.#deleting : input)?.focus();
  }

  /** Lets a person change the name. */
  edit(edit: Edit): void {
    const input = element('input', { name: 'name', value: edit.text, ariaLabel: 'Name', required: true });
    input.setAttribute('aria-describedby', 'problem');
    const save = element('button', { type: 'submit', textContent: 'Save', className: 'main' });
    const cancel = element('button', { type: 'button', textContent: 'Cancel' });
    const form = element(
      'form',
      { autocomplete: 'off' },
      input,
      element('div', { className: 'buttons' }, save, cancel),
    );
    this.#keep(edit);
    input.oninput = () => {
      input.ariaInvalid = 'false';
      if (this.#edit) this.#keep({ ...this.#edit, text: input.value });
    };
    form.onsubmit = (event) => {
      event.preventDefault();
      void this.#once('Saving', async () => {
        // What is typed before the answer comes would be lost.
        input.readOnly = true;
        await this.#save(input.value)
          .catch((error) => {
            input.ariaInvalid = String(error instanceof Failure && error.isAbout('name'));
            throw error;
          })
          .finally(() => {
            input.readOnly = false;
          });
      });
    };
    form.onkeydown = ({ key }) => {
      if (key === 'Escape') this.#cancel();
    };
    cancel.onclick = () => this.#cancel();
    this.element.replaceChildren(form);
  }

  /** One call at a time: presses before its answer comes do not count. */
  async #once(word: string, action: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await attempt(() => showWork(this.element, word, action)).finally(() => {
      this.#isBusy = false;
    });
  }

  /** Sends what the box says, until the service has it. It needs no condition: it means this item, whatever its name is by now. */
  async #tick(): Promise<void> {
    if (this.#isTicking) return;
    this.#isTicking = true;
    try {
      while (this.#box.checked !== this.#item.isComplete) {
        const isComplete = this.#box.checked;
        await showWork(this.element, 'Saving', () => this.#change({ isComplete })).catch(async (error) => {
          const now = await this.#findAfterNoAnswer(error);
          if (now?.item.isComplete !== isComplete) throw notDone(error);
        });
        this.#item = { ...this.#item, isComplete };
      }
    } finally {
      this.#isTicking = false;
      this.#render();
    }
  }

  async #startEdit(): Promise<void> {
    const found = await this.#list.toDos.find(this.key);
    if (!found) throw await this.#gone();
    this.#item = found.item;
    this.edit({ text: found.item.name, former: found.item.name, etag: found.etag });
    this.element.querySelector('input')?.focus();
  }

  async #save(text: string): Promise<void> {
    const edit = this.#edit;
    if (!edit) return;
    if (text !== edit.former) await this.#rename(text, edit);
    this.#item = { ...this.#item, name: text };
    this.#end();
    announce(`Saved “${text}”.`);
  }

  /** Replaces the name that the person has seen, whatever else of the item is changed meanwhile, and no other name. */
  async #rename(text: string, edit: Edit): Promise<void> {
    try {
      return await this.#change({ name: text }, edit.etag);
    } catch (error) {
      const isConflict = error instanceof Failure && error.problem?.code === 'if-match-failed';
      const now = isConflict ? await this.#list.toDos.find(this.key) : await this.#findAfterNoAnswer(error);
      if (!now) throw await this.#gone();
      // A request whose answer was lost may have made this very change.
      if (now.item.name === text) return;
      if (!isConflict) throw notDone(error);
      if (now.item.name !== edit.former) throw this.#conflict(text, now);
      return this.#rename(text, { ...edit, etag: now.etag });
    }
  }

  /** Lets a person decide about a name that has come from elsewhere. */
  #conflict(text: string, { item, etag }: { item: Item; etag: string }): Failure {
    this.#item = item;
    this.#keep({ text, former: item.name, etag });
    return new Failure(`Meanwhile it was changed to “${item.name}”. Save replaces that, and Cancel keeps it.`);
  }

  #cancel(): void {
    if (this.#isBusy) return;
    showMessage('');
    this.#end();
  }

  #end(): void {
    const isFocused = this.hasFocus;
    this.#keep(undefined);
    this.#render();
    this.#show();
    if (isFocused) this.#editing.focus();
    this.#dropUnlessNeeded();
  }

  #dropUnlessNeeded(): void {
    if (!this.#isListed && !this.isEdited) this.#list.drop(this);
  }

  async #delete(): Promise<void> {
    if (!(await ask(`Delete “${this.#item.name}”?`, 'Delete'))) return;
    await this.#once('Deleting', async () => {
      await this.#list
        .write({ kind: 'remove', key: this.key }, () => this.#list.toDos.remove(this.key))
        .catch(async (error) => {
          if (await this.#findAfterNoAnswer(error)) throw notDone(error);
        });
      // The second click of a double click on Delete in the question has taken the focus away.
      this.#list.drop(this, this.hasFocus || document.activeElement === document.body);
      announce(`Deleted “${this.#item.name}”.`);
    });
  }

  async #change(changes: { isComplete: boolean } | { name: string }, etag?: string): Promise<void> {
    const { key } = this;
    const change =
      'name' in changes ? ({ kind: 'rename', key } as const) : ({ kind: 'tick', key, ...changes } as const);
    await this.#list
      .write(change, () => this.#list.toDos.change(key, changes, etag))
      .catch(async (error) => {
        throw error instanceof Failure && error.problem?.status === 404 ? await this.#gone() : error;
      });
  }

  /** @returns What is there after a write without an answer. @throws Any other error. */
  async #findAfterNoAnswer(error: unknown) {
    if (!(error instanceof Failure && error.mayBeDone)) throw error;
    return this.#list.toDos.find(this.key).catch(() => {
      throw new Failure(`${error.message} It may have been done all the same. Try again.`);
    });
  }

  async #gone(): Promise<Failure> {
    await this.#list.load();
    return new Failure(`This item was deleted meanwhile.${this.#edit ? ' What you have typed is still here.' : ''}`);
  }

  #keep(edit: Edit | undefined): void {
    this.#edit = edit;
    this.#list.drafts.keepEdit(this.key, edit);
  }

  /** Writes what the elements say. */
  #render(): void {
    const { name, isComplete } = this.#item;
    if (!this.#isTicking) this.#box.checked = isComplete;
    this.#name.textContent = name;
    this.#editing.ariaLabel = `Edit ${name}`;
    this.#deleting.ariaLabel = `Delete ${name}`;
  }

  #show(): void {
    const buttons = element('div', { className: 'buttons' }, this.#editing, this.#deleting);
    this.element.replaceChildren(element('label', {}, this.#box, this.#name), buttons);
  }
}

function notDone(error: unknown): Failure {
  const reason = error instanceof Error ? error.message : String(error);
  return new Failure(`${reason} Nothing has changed so far. Try again.`);
}
