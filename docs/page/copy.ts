import { readRequest } from './request.js';
import { asCurl, asFetch } from './snippets.js';

/** Copies a text, and says beside the buttons of a form that it did. */
export async function copy(text: string, form: HTMLFormElement): Promise<void> {
  say(form, '');
  say(form, (await isCopied(text)) ? 'Copied' : 'The browser does not let the page copy: see Code.');
}

/** Removes the word that something was copied, because the request has changed since. */
export function forgetCopied(form: HTMLFormElement): void {
  say(form, '');
}

/** Shows the code that sends what is in the fields. */
export function showCode(form: HTMLFormElement): void {
  const snippets = form.closest('.operation')?.querySelectorAll<HTMLElement>('[open] > [data-snippet]') ?? [];
  for (const shown of snippets) {
    const request = readRequest(form);
    shown.textContent = shown.dataset.snippet === 'curl' ? asCurl(request) : asFetch(request);
  }
}

function say(form: HTMLFormElement, text: string): void {
  form.querySelector('.said')?.replaceChildren(text);
}

async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
