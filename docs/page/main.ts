import { forgetCopied, showCode } from './copy.js';
import { colour } from './json.js';
import { offerTag } from './offers.js';
import { startOperation } from './operation.js';
import { decoded, type Field, mark } from './request.js';
import { noteTyped, restore } from './typed.js';

// Relative URLs are right under any prefix as long as there is no slash at the end.
const { pathname, search, hash } = location;
if (pathname.endsWith('/')) history.replaceState(null, '', pathname.replace(/\/+$/, '') + search + hash);

const forms = Array.from(document.forms);
restore();
for (const form of forms) startOperation(form, forms);

document.addEventListener('input', ({ target }) => {
  const field = target as Field;
  if (!field.form) return;
  mark(field);
  noteTyped(field);
  offerTag(field.form);
  showCode(field.form);
  forgetCopied(field.form);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  const form = (event.target as Element).closest('.operation')?.querySelector('form');
  if (!form) return;
  event.preventDefault();
  form.requestSubmit();
});

// The examples get their colours when somebody looks at them.
document.addEventListener(
  'toggle',
  ({ target }) => {
    const form = (target as Element).closest('.operation')?.querySelector('form');
    if (form) showCode(form);
    for (const example of (target as Element).querySelectorAll(':scope > [data-json], :scope > div > [data-json]')) {
      colour(example.textContent ?? '', example);
    }
  },
  true,
);

addEventListener('hashchange', openLinked);
document.addEventListener('click', ({ target }) => {
  // A link that was followed before changes nothing in the address.
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
