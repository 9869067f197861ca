/**
 * Ignores the second click of a double click, and the repeats of a key that stays pressed: by then, another button may be
 * where the first one was. Edit has become Save, or the next row has moved up.
 */
export function ignoreRepeats(): void {
  const ignore = (event: Event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const pressable = 'button, label, input[type=checkbox]';
  addEventListener(
    'click',
    (event) => {
      if (event.detail > 1 && event.target instanceof Element && event.target.closest(pressable)) ignore(event);
    },
    { capture: true },
  );
  addEventListener('keydown', (event) => event.repeat && event.key === 'Enter' && ignore(event), { capture: true });
}
