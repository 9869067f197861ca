import { colour } from './body.js';
import { type Field, noteTyped, restore } from './fields.js';
import { decoded } from './offers.js';
import { refresh, startOperation } from './operation.js';
import { mark } from './request.js';
import { say, showCode } from './snippets.js';

// Relative URLs are right behind any prefix if the page's own URL does not end with a slash.
const { pathname, search, hash } = location;
if (pathname.endsWith('/')) history.replaceState(null, '', pathname.replace(/\/+$/, '') + search + hash);

restore();
for (const form of document.forms) startOperation(form);

document.addEventListener('input', ({ target }) => {
  const field = target as Field;
  if (!field.form) return;
  mark(field);
  noteTyped(field);
  refresh(field.form);
  // What was copied is no longer what is in the fields.
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
    const form = formAround(target);
    if (form) showCode(form);
    // The examples get their colours when somebody looks at them.
    const examples = (target as Element).querySelectorAll(':scope > [data-json], :scope > div > [data-json]');
    for (const example of examples) colour(example);
  },
  true,
);

addEventListener('hashchange', openLinked);
document.addEventListener('click', ({ target }) => {
  // A link to the present address causes no hashchange.
  if ((target as Element).closest('a')?.hash === location.hash) openLinked();
});
openLinked();

/** A link to an operation or a model opens it. */
function openLinked(): void {
  const linked = document.getElementById(decoded(location.hash.slice(1)));
  if (!(linked instanceof HTMLDetailsElement)) return;
  linked.open = true;
  linked.scrollIntoView();
}

/** Returns the form of the operation that an element belongs to. */
function formAround(target: EventTarget | null): HTMLFormElement | null | undefined {
  return (target as Element).closest('.operation')?.querySelector('form');
}
