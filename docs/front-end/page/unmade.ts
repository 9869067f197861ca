import type { Change } from '../service/drafts.js';
import { find } from './element.js';
import type { List } from './list.js';
import { showMessage } from './message.js';

/**
 * Tells a person who had to sign in again what was not done because of that, with the focus where they did it. What can be sent again
 * without harm is offered to be sent.
 */
export async function showUnmade(list: List): Promise<void> {
  const changes = list.drafts.takeUnanswered();
  if (changes.some((change) => 'key' in change && !list.row(change.key))) await list.loadAll();
  const unmade = changes.filter((change) => !isMade(list, change));
  const last = unmade.at(-1);
  if (!last) return;
  const which = unmade.length === 1 ? 'Your last change was' : `Your last ${unmade.length} changes were`;
  const isHarmless = unmade.every(({ kind }) => kind === 'create' || kind === 'tick');
  const retry = () => {
    focus(list, last);
    for (const change of unmade) repeat(list, change);
  };
  showMessage(`You had to sign in again. ${which} not made.`, isHarmless ? retry : undefined);
  focus(list, last);
}

/** Whether the list shows a change: one that was under way may have been made all the same. */
function isMade(list: List, change: Change): boolean {
  if (change.kind === 'create') return false;
  const row = list.row(change.key);
  if (!row) return true;
  return change.kind === 'tick' ? row.isComplete === change.isComplete : change.kind === 'rename' && !row.isEdited;
}

function repeat(list: List, change: Change): void {
  if (change.kind === 'create') find<HTMLFormElement>('#adding').requestSubmit();
  if (change.kind === 'tick') list.row(change.key)?.tick(change.isComplete);
}

function focus(list: List, change: Change): void {
  if (change.kind === 'create') find('#adding input').focus();
  else list.row(change.key)?.focus(change.kind);
}
