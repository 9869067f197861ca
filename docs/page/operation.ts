import { headOf, showAnswer } from './answer.js';
import { copy } from './copy.js';
import { element } from './element.js';
import { IDEMPOTENCY_KEY, withKey } from './idempotency.js';
import { fieldNamed, learn, nextOf, offerTag } from './offers.js';
import { canBeSent, fieldsOf, type Request, readRequest } from './request.js';
import { type Answer, send } from './send.js';
import { asCurl, asFetch } from './snippets.js';
import { noteTyped } from './typed.js';

/**
 * Makes the form of an operation work.
 *
 * @param form - The form.
 * @param forms - Those of all operations, which an answer may fill in.
 */
export function startOperation(form: HTMLFormElement, forms: readonly HTMLFormElement[]): void {
  const operation = form.closest('.operation') as HTMLElement;
  const shown = operation.querySelector('.answer') as HTMLElement;
  const buttons = new Map(
    Array.from(operation.querySelectorAll<HTMLButtonElement>('[data-do]'), (button) => [button.dataset.do, button]),
  );
  let underWay: AbortController | undefined;
  let last: Answer | undefined;
  let unfold: (() => Promise<void>) | undefined;

  /** Hides what there is nothing to do for; the focus never goes with it. */
  function show(name: string, isShown: boolean): void {
    const button = buttons.get(name);
    if (!button) return;
    if (!isShown && button === document.activeElement) form.querySelector<HTMLElement>('.send')?.focus();
    button.hidden = !isShown;
  }

  async function run(request: Request): Promise<Answer | undefined> {
    if (underWay) return undefined;
    underWay = new AbortController();
    form.setAttribute('aria-busy', 'true');
    show('cancel', true);
    // What stands below does not move meanwhile.
    shown.style.minHeight = `${shown.offsetHeight}px`;
    shown.replaceChildren(element('p', { className: 'head' }, 'Sending …'));
    last = await send(request, underWay.signal, (answer, seconds, attempt, attempts) => {
      const again = `Nothing was changed. Sending it again in ${seconds} s (attempt ${attempt} of ${attempts}).`;
      shown.replaceChildren(headOf(answer, operation), element('p', {}, again));
      bringIntoSight(shown);
    });
    underWay = undefined;
    form.removeAttribute('aria-busy');
    show('cancel', false);
    shown.style.minHeight = '';
    const body = showAnswer(last, operation);
    unfold = body?.unfold;
    show('copy', body !== undefined);
    show('all', unfold !== undefined);
    show('again', last.isMaybeApplied);
    show('next', nextOf(last) !== undefined);
    show('current', last.status === 412 && !!fieldNamed(form, 'If-Match')?.value && !!readerOf(form, forms));
    learn(last, forms);
    bringIntoSight(shown);
    return last;
  }

  async function fetchCurrentTag(): Promise<void> {
    const field = fieldNamed(form, 'If-Match');
    const { url } = readRequest(form);
    const answer = await run({ method: 'GET', url, headers: [] });
    const tag = answer?.headers.get('ETag');
    if (!field || !tag) return;
    field.value = tag;
    noteTyped(field);
    offerTag(form);
    field.focus();
  }

  function goOn(): void {
    const next = last && nextOf(last);
    for (const field of fieldsOf(form)) {
      const value = field.dataset.in === 'query' ? next?.searchParams.get(field.name) : undefined;
      if (value === undefined || value === null) continue;
      field.value = value;
      noteTyped(field);
    }
    form.requestSubmit();
  }

  const actions: Readonly<Record<string, () => unknown>> = {
    cancel: () => underWay?.abort(),
    curl: () => copy(asCurl(readRequest(form)), form),
    fetch: () => copy(asFetch(readRequest(form)), form),
    copy: () => last && copy(last.text, form),
    again: () => last && run(last.request),
    next: goOn,
    current: fetchCurrentTag,
    all: async () => {
      show('all', false);
      await unfold?.();
    },
    tag: () => {
      const field = fieldNamed(form, 'If-Match');
      if (!field) return;
      field.value = buttons.get('tag')?.value ?? '';
      noteTyped(field);
      offerTag(form);
    },
  };
  for (const [name, button] of buttons) button.addEventListener('click', () => actions[name ?? '']?.());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!underWay && canBeSent(form)) run(withKey(readRequest(form), fieldNamed(form, IDEMPOTENCY_KEY)));
  });
}

/** Finds the form that gets what another one changes. */
function readerOf(form: HTMLFormElement, forms: readonly HTMLFormElement[]): HTMLFormElement | undefined {
  return forms.find(({ dataset }) => dataset.method === 'GET' && dataset.path === form.dataset.path);
}

function bringIntoSight(shown: Element): void {
  shown.scrollIntoView({ block: 'nearest' });
}
