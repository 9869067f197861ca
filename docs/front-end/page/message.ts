import { Failure } from '../service/failure.js';
import { find } from './element.js';

const [bar, text, again, close] = ['#message', '#problem', '#message button', '#message button:last-child'].map(
  (selector) => find(selector),
) as [HTMLElement, HTMLElement, HTMLElement, HTMLElement];
const news = find('#news');
/** What the message on show is about, if it can be tried again. */
let pending: (() => void) | undefined;
close.onclick = () => showMessage('');
again.onclick = () => {
  const retry = pending;
  showMessage('');
  retry?.();
};

/**
 * Shows a sentence below, where it moves nothing, until something else is done.
 *
 * @param retry - What can be tried again.
 */
export function showMessage(sentence: string, retry?: () => void): void {
  const isFocused = bar.contains(document.activeElement);
  pending = retry;
  text.textContent = sentence;
  again.hidden = !retry;
  close.hidden = sentence === '';
  if (!isFocused || sentence !== '') return;
  const shown = [...find('main').querySelectorAll<HTMLElement>('input, button')].find((one) => one.offsetParent);
  shown?.focus();
}

/** Tells people who use a screen reader what has been done. */
export function announce(sentence: string): void {
  news.textContent = sentence;
}

/** Does what a person asked for, or says why not. @returns Whether it was done. */
export function attempt(action: () => Promise<unknown>, retry?: () => void): Promise<boolean> {
  showMessage('');
  return report(action, retry);
}

/**
 * Does something that no person has just asked for, or says why not.
 *
 * @param action - Throws a {@link Failure} with a sentence.
 * @param retry - What can be tried again.
 */
export async function report(action: () => Promise<unknown>, retry?: () => void): Promise<boolean> {
  try {
    await action();
    if (retry && retry === pending) showMessage('');
    return true;
  } catch (error) {
    showMessage(error instanceof Failure ? error.message : 'This page has failed. Load it again.', retry);
    if (!(error instanceof Failure)) throw error;
    return false;
  }
}
