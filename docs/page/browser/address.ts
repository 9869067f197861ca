import { decoded } from './percent.js';

/** Keeps in the page's address what was opened last, so that a reload, Back and a copied link show it again. */
export function keepAddress(): void {
  // Relative URLs are right under any prefix if the page's own URL does not end with a slash.
  replace(location.pathname.replace(/\/+$/, '') + location.search + location.hash);
  addEventListener('hashchange', openLinked);
  document.addEventListener('click', ({ target }) => {
    // A link to the present address causes no hashchange.
    if ((target as Element).closest('a')?.hash === location.hash) openLinked();
  });
  openLinked();
}

export function noteOpened({ id, open }: HTMLDetailsElement): void {
  const isLinked = decoded(location.hash.slice(1)) === id;
  if (open && !isLinked) replace(`#${encodeURIComponent(id)}`);
  if (!open && isLinked) replace(location.pathname + location.search);
}

function openLinked(): void {
  const linked = document.getElementById(decoded(location.hash.slice(1)));
  if (!(linked instanceof HTMLDetailsElement)) return;
  // The filter may have hidden it.
  linked.hidden = false;
  linked.open = true;
  linked.scrollIntoView();
}

function replace(url: string): void {
  history.replaceState(null, '', url);
}
