import { headOf, showAnswer } from './answer.js';
import { element, type ShownBody } from './body.js';
import { fieldNamed, fillIn } from './fields.js';
import { learn, nextOf, offerTag } from './offers.js';
import { canBeSent, type Request, readRequest, withKey } from './request.js';
import { type Answer, send } from './send.js';
import { copy, showCode, snippetOf } from './snippets.js';

/** Makes the form of an operation work. */
export function startOperation(form: HTMLFormElement): void {
  const operation = form.closest('.operation') as HTMLElement;
  const shown = operation.querySelector('.answer') as HTMLElement;
  const buttons = new Map(
    Array.from(operation.querySelectorAll<HTMLButtonElement>('[data-do]'), (button) => [button.dataset.do, button]),
  );
  const ifMatch = fieldNamed(form, 'header', 'If-Match');
  let underWay: AbortController | undefined;
  let last: Answer | undefined;
  let body: ShownBody | undefined;

  /** Shows or hides a button. If a hidden one had the focus, Send gets it. */
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
    // So that what is below does not move meanwhile.
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
    body = showAnswer(last, operation);
    show('copy', body !== undefined);
    show('all', body?.unfold !== undefined);
    show('again', last.isMaybeApplied);
    show('next', nextOf(last) !== undefined);
    show('current', last.status === 412 && !!ifMatch?.value && canBeRead(form));
    learn(last);
    for (const each of document.forms) refresh(each);
    bringIntoSight(shown);
    return last;
  }

  async function fetchCurrentTag(): Promise<void> {
    const answer = await run({ method: 'GET', url: readRequest(form).url, headers: [] });
    const tag = answer?.headers.get('ETag');
    if (!ifMatch || !tag) return;
    fillIn(ifMatch, tag);
    ifMatch.focus();
  }

  function goToNextPage(): void {
    for (const [name, value] of (last && nextOf(last))?.searchParams ?? []) {
      const field = fieldNamed(form, 'query', name);
      if (field) fillIn(field, value);
    }
    form.requestSubmit();
  }

  const actions: Readonly<Record<string, () => unknown>> = {
    cancel: () => underWay?.abort(),
    curl: () => copy(snippetOf(form, 'curl'), form),
    fetch: () => copy(snippetOf(form, 'fetch'), form),
    copy: () => last && copy(last.text, form),
    again: () => last && run(last.request),
    next: goToNextPage,
    current: fetchCurrentTag,
    all: () => {
      show('all', false);
      return body?.unfold?.();
    },
    tag: () => ifMatch && fillIn(ifMatch, buttons.get('tag')?.value ?? ''),
  };
  for (const [name, button] of buttons) button.addEventListener('click', () => actions[name ?? '']?.());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (canBeSent(form)) run(withKey(readRequest(form), form));
  });
}

/** Updates what depends on the fields of a form. */
export function refresh(form: HTMLFormElement): void {
  offerTag(form);
  showCode(form);
}

/** Whether the page has an operation that reads what this one changes. */
function canBeRead({ dataset }: HTMLFormElement): boolean {
  return Array.from(document.forms).some((other) => {
    return other.dataset.method === 'GET' && other.dataset.path === dataset.path;
  });
}

function bringIntoSight(shown: Element): void {
  shown.scrollIntoView({ block: 'nearest' });
}
