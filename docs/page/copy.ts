/** Copies a text, and says so beside the buttons of a form. */
export async function copy(text: string, form: HTMLFormElement): Promise<void> {
  const said = form.querySelector('.said') as HTMLElement;
  said.textContent = '';
  try {
    await navigator.clipboard.writeText(text);
    said.textContent = 'Copied';
  } catch {
    said.textContent = 'This browser does not let the page copy';
  }
  setTimeout(() => {
    said.textContent = '';
  }, 4000);
}
