import { element } from './element.js';

/** How long something may take before a person is told that it is under way, in milliseconds. */
const PATIENCE = 500;

/**
 * Does something, and says so if it takes longer than half a second, where that moves nothing.
 *
 * @param place - The row or the form that it is about. The word covers its buttons, because they do nothing meanwhile.
 * @param word - What is done, as in "Saving".
 */
export async function showWork<Result>(
  place: HTMLElement,
  word: string,
  action: () => Promise<Result>,
): Promise<Result> {
  const note = element('span', { className: 'work', role: 'status', textContent: `${word} …` });
  const timer = setTimeout(() => {
    place.ariaBusy = 'true';
    (place.querySelector('.buttons') ?? place).append(note);
  }, PATIENCE);
  try {
    return await action();
  } finally {
    clearTimeout(timer);
    note.remove();
    if (!place.querySelector('.work')) place.ariaBusy = 'false';
  }
}
