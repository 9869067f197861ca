import { find } from './element.js';

const dialog = find<HTMLDialogElement>('dialog');
const [cancel, confirm] = dialog.querySelectorAll('button') as unknown as [HTMLButtonElement, HTMLButtonElement];
cancel.onclick = () => dialog.close();
confirm.onclick = () => dialog.close('confirmed');

/**
 * Asks a question. Escape and a press of Cancel mean no.
 *
 * @param yes - What the button says that means yes.
 */
export function ask(question: string, yes: string): Promise<boolean> {
  find('#question').textContent = question;
  confirm.textContent = yes;
  dialog.returnValue = '';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.onclose = () => resolve(dialog.returnValue === 'confirmed');
  });
}
