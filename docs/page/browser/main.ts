import { keepAddress, noteOpened } from './address.js';
import { colour, watchScrolling } from './body.js';
import { type Field, mark } from './fields.js';
import { startFilter } from './filter.js';
import { refresh, startForm } from './form.js';
import { forgetKey, restoreKeys } from './once.js';
import { noteTyped, restore } from './remember.js';
import { say } from './said.js';
import { startSignIn } from './sign-in.js';
import { showCode } from './snippets.js';
import { startToken } from './token.js';

restore();
restoreKeys();
for (const form of document.forms) {
  startForm(form);
  refresh(form);
}
for (const scrolled of document.querySelectorAll('pre')) watchScrolling(scrolled);
if (HAS_FILTER) startFilter();
if (HAS_TOKEN) startToken();

document.addEventListener('input', ({ target }) => {
  const field = target as Field;
  mark(field);
  if (!field.form) {
    // The code of all operations contains the token.
    for (const form of document.forms) showCode(form);
    return;
  }
  noteTyped(field);
  forgetKey(field);
  refresh(field.form);
  // The note about copied code is no longer true.
  say('', field.form);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const form = formAround(event.target);
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});

document.addEventListener(
  'toggle',
  ({ target }) => {
    const opened = target as HTMLDetailsElement;
    const form = formAround(opened);
    if (form) showCode(form);
    // Examples get their colours when they come into view.
    for (const example of opened.querySelectorAll('[data-json]')) colour(example);
    if (!opened.id) return;
    noteOpened(opened);
    if (opened.open) opened.scrollIntoView({ block: 'nearest' });
  },
  true,
);

// First, because it takes a provider's answer out of the address, and puts back what was open before.
if (HAS_TOKEN) startSignIn();
keepAddress();

function formAround(target: EventTarget | null): HTMLFormElement | null | undefined {
  return (target as Element).closest('.operation')?.querySelector('form');
}
