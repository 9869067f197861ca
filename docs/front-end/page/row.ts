import type { Edit } from '../service/drafts.js';
import { Failure } from '../service/failure.js';
import type { Item } from '../service/to-dos.js';
import { ask } from './ask.js';
import { element } from './element.js';
import type { List } from './list.js';
import { announce, attempt, showMessage } from './message.js';

/** What a row shows of an item, whichever members are added to it. */
export type ShownItem = Pick<Item, 'key' | 'name' | 'isComplete'>;

/** One item of the list. */
export class Row {
  readonly element: HTMLLIElement;
  /** Whether the list that was loaded last has it. */
  isListed = true;
  readonly #list: List;
  readonly #box = element('input', { type: 'checkbox' });
  readonly #name = element('span');
  readonly #editing = element('button', { type: 'button', textContent: 'Edit' });
  readonly #deleting = element('button', { type: 'button', textContent: 'Delete' });
  #item: ShownItem;
  /** What is typed. */
  #edit: Edit | undefined;
  #isTicking = false;
  #isBusy = false;

  constructor(list: List, item: ShownItem) {
    this.#list = list;
    this.#item = item;
    this.element = element('li', { id: item.key });
    this.#box.onchange = () => void attempt(() => this.#tick());
    this.#editing.onclick = () => void this.#once(() => this.#startEdit());
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

  /** Shows the item as it is now. */
  update(item: ShownItem): void {
    this.#item = item;
    this.#render();
  }

  /** Lets a person change the name. */
  edit(edit: Edit): void {
    const input = element('input', { name: 'name', value: edit.text, ariaLabel: 'Name', required: true });
    input.setAttribute('aria-describedby', 'problem');
    const save = element('button', { type: 'submit', textContent: 'Save', className: 'main' });
    const cancel = element('button', { type: 'button', textContent: 'Cancel' });
    const form = element('form', { autocomplete: 'off' }, input, save, cancel);
    this.#keep(edit);
    input.oninput = () => {
      input.ariaInvalid = 'false';
      if (this.#edit) this.#keep({ ...this.#edit, text: input.value });
    };
    form.onsubmit = (event) => {
      event.preventDefault();
      void this.#once(async () => {
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
  async #once(action: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    await attempt(action).finally(() => {
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
        await this.#change({ isComplete }).catch(async (error) => {
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
    let { etag } = edit;
    for (let isSaved = text === edit.former; !isSaved; ) {
      try {
        await this.#change({ name: text }, etag);
        isSaved = true;
      } catch (error) {
        const isConflict = error instanceof Failure && error.problem?.code === 'if-match-failed';
        const now = isConflict ? await this.#list.toDos.find(this.key) : await this.#findAfterNoAnswer(error);
        if (!now) throw await this.#gone();
        // A request whose answer was lost may have made this very change.
        isSaved = now.item.name === text;
        if (!isSaved && !isConflict) throw notDone(error);
        // A change of another member, such as a tick, does not concern the name.
        if (!isSaved && now.item.name !== edit.former) throw this.#conflict(text, now);
        etag = now.etag;
      }
    }
    this.#item = { ...this.#item, name: text };
    this.#end();
    announce(`Saved “${text}”.`);
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
    if (!this.isListed) this.#list.drop(this);
  }

  async #delete(): Promise<void> {
    if (!(await ask(`Delete “${this.#item.name}”?`, 'Delete'))) return;
    await this.#once(async () => {
      await this.#list
        .write(() => this.#list.toDos.remove(this.key))
        .catch(async (error) => {
          if (await this.#findAfterNoAnswer(error)) throw notDone(error);
        });
      // The second click of a double click on Delete in the question has taken the focus away.
      this.#list.drop(this, this.hasFocus || document.activeElement === document.body);
      announce(`Deleted “${this.#item.name}”.`);
    });
  }

  async #change(changes: Partial<Item>, etag?: string): Promise<void> {
    await this.#list
      .write(() => this.#list.toDos.change(this.key, changes, etag))
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
