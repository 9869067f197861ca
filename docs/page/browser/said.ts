/** Shows a text, also to screen readers, in the same form or beside the same field. */
export function say(text: string, element: Element): void {
  element.closest('form, search, .token')?.querySelector('.said')?.replaceChildren(text);
}
