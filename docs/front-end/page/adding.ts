import type { Sent } from '../service/drafts.js';
import { Failure } from '../service/failure.js';
import { ask } from './ask.js';
import { find } from './element.js';
import type { List } from './list.js';
import { announce, attempt } from './message.js';
import { showWork } from './work.js';

/** Lets a person add items to a list. What was typed before a redirect is there again. */
export function setUpAdding(list: List): void {
  const { drafts } = list;
  const form = find<HTMLFormElement>('#adding');
  const input = find<HTMLInputElement>('#adding input');
  let isBusy = false;
  input.value = drafts.text;
  input.oninput = () => {
    drafts.text = input.value;
    input.ariaInvalid = 'false';
  };
  form.onsubmit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    // What is typed before the answer comes would be lost.
    input.readOnly = true;
    await attempt(() => add(input.value)).finally(() => {
      isBusy = false;
      input.readOnly = false;
    });
  };

  async function add(name: string): Promise<void> {
    const sent = drafts.sentBefore(name);
    if (sent && drafts.isOld(sent)) {
      if (!(await ask(await question(list, sent), 'Add again'))) return;
      drafts.endCreation();
    }
    const create = () => list.toDos.create(name, drafts.beginCreation(name));
    const item = await showWork(form, 'Adding', () => list.write({ kind: 'create' }, create)).catch(explain);
    drafts.endCreation();
    drafts.text = '';
    input.value = '';
    list.add(item);
    announce(`Added “${name}”.`);
  }

  function explain(error: unknown): never {
    if (!(error instanceof Failure)) throw error;
    const { problem, mayBeDone, message } = error;
    input.ariaInvalid = String(error.isAbout('name'));
    if (problem?.code === 'idempotency-key-reused') drafts.endCreation();
    throw mayBeDone ? new Failure(`${message} Add sends the same again, and adds it only once.`, { problem }) : error;
  }
}

/** The service may have forgotten the key, so only a person who has seen the list can tell whether the item is there. */
async function question(list: List, { name, time }: Sent): Promise<string> {
  await list.loadAll();
  const count = list.countOf(name);
  const found = count === 0 ? 'no item' : count === 1 ? 'an item' : `${count} items`;
  return `“${name}” was sent on ${new Date(time).toLocaleString()}, but no answer came. The list has ${found} of this name. Add it again?`;
}
