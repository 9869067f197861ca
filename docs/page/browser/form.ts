import type { Action } from '../attributes.js';
import { showBefore, showCurrent, showOutcome, showSending, showWait } from './answer.js';
import type { ShownBody } from './body.js';
import { addError, fieldFor, fieldsOf, fillIn, initialOf } from './fields.js';
import { learn, nextOf, offerSameKey, offerTag } from './offers.js';
import { offerKey, readOnce, settle } from './once.js';
import { reset } from './remember.js';
import { canBeSent, type Request } from './request.js';
import { type Answer, type Outcome, send } from './send.js';
import { sizeOf } from './size.js';
import { copy, showCode, snippetOf } from './snippets.js';
import { tokenHeader } from './token.js';

export function startForm(form: HTMLFormElement): void {
  const operation = form.closest('.operation') as HTMLElement;
  for (const field of fieldsOf(form)) addError(field);
  const [buttons, answer] = Array.from(document.querySelectorAll('template'), ({ content }) => content.cloneNode(true));
  form.append(buttons as Node);
  form.nextElementSibling?.prepend(answer as Node);
  const shown = operation.querySelector('.answer') as HTMLElement;
  let underWay: AbortController | undefined;
  let last: Outcome | undefined;
  let body: ShownBody | undefined;

  /** Sends nothing while another request is under way. */
  async function exchange(request: Request): Promise<Outcome | undefined> {
    if (underWay) return undefined;
    underWay = new AbortController();
    form.setAttribute('aria-busy', 'true');
    show(form, 'cancel', true);
    // So that what is below does not move meanwhile.
    shown.style.minHeight = `${shown.offsetHeight}px`;
    showSending(operation);
    const outcome = await send(request, underWay.signal, (...wait) => showWait(wait[0], operation, wait[1], wait[2]));
    underWay = undefined;
    form.removeAttribute('aria-busy');
    show(form, 'cancel', false);
    shown.style.minHeight = '';
    settle(form, outcome);
    if (outcome.kind === 'answer') learn(outcome, form);
    for (const each of document.forms) refresh(each);
    return outcome;
  }

  async function run(request: Request): Promise<void> {
    const outcome = await exchange(request);
    if (!outcome) return;
    replaceLast(outcome);
    body = showOutcome(outcome, operation);
    showButtons(outcome);
  }

  function replaceLast(outcome: Outcome): void {
    if (last) showBefore(last, operation);
    last = outcome;
  }

  function showButtons(outcome: Outcome): void {
    const answer = outcome.kind === 'answer' ? outcome : undefined;
    const isConflict = answer?.status === 412 && fieldFor(form, 'If-Match')?.value && canBeRead(form);
    show(form, 'copy', body !== undefined);
    show(form, 'all', body?.unfold !== undefined, `Show all ${sizeOf(answer?.bytes ?? 0)}`);
    show(form, 'again', outcome.isMaybeApplied);
    show(form, 'next', answer !== undefined && nextOf(answer) !== undefined);
    show(form, 'current', !!isConflict);
  }

  async function fetchCurrent(conflict: Answer): Promise<void> {
    const now = await exchange({
      method: 'GET',
      url: conflict.request.url,
      headers: HAS_TOKEN ? tokenHeader(form) : [],
    });
    if (!now) return;
    replaceLast(now);
    body = showCurrent(conflict, now, operation);
    showButtons(now);
    const tag = now.kind === 'answer' && now.headers.get('ETag');
    const field = fieldFor(form, 'If-Match');
    if (!field || !tag) return;
    fillIn(field, tag);
    field.focus();
  }

  function goTo(next: URL): void {
    for (const [name, value] of next.searchParams) {
      const field = fieldsOf(form, 'query').find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (field) fillIn(field, value);
    }
    form.requestSubmit();
  }

  const answered = (act: (answer: Answer) => unknown) => () => last?.kind === 'answer' && act(last);
  const actions: Readonly<Record<Action, (button: HTMLButtonElement) => unknown>> = {
    cancel: () => underWay?.abort(),
    curl: () => copy(snippetOf(form, 'curl'), form),
    fetch: () => copy(snippetOf(form, 'fetch'), form),
    copy: answered(({ text }) => copy(text, form)),
    again: () => last && run(last.request),
    next: answered((answer) => {
      const url = nextOf(answer);
      if (url) goTo(url);
    }),
    current: answered(fetchCurrent),
    all: () => {
      show(form, 'all', false);
      return body?.unfold?.();
    },
    tag: ({ value }) => {
      const field = fieldFor(form, 'If-Match');
      if (field) fillIn(field, value);
    },
    reset: () => {
      const field = fieldFor(form, 'body');
      if (field) reset(field);
      field?.focus();
      refresh(form);
    },
  };
  for (const button of operation.querySelectorAll<HTMLButtonElement>('[data-do]')) {
    button.addEventListener('click', () => actions[button.dataset.do as Action](button));
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (!underWay && canBeSent(form)) run(readOnce(form));
  });
}

export function refresh(form: HTMLFormElement): void {
  offerSameKey(form);
  offerKey(form);
  offerTag(form);
  const body = fieldFor(form, 'body');
  if (body) show(form, 'reset', body.value !== initialOf(body));
  showCode(form);
}

/** If a hidden button had the focus, Send gets it. */
function show(form: HTMLFormElement, action: Action, isShown: boolean, text?: string): void {
  const button = form.closest('.operation')?.querySelector<HTMLButtonElement>(`[data-do=${action}]`);
  if (!button) return;
  if (!isShown && button === document.activeElement) form.querySelector<HTMLElement>('.send')?.focus();
  button.hidden = !isShown;
  if (text) button.textContent = text;
}

/** Whether the page has an operation that reads what this one changes. */
function canBeRead({ dataset }: HTMLFormElement): boolean {
  return Array.from(document.forms).some((other) => {
    return other.dataset.method === 'GET' && other.dataset.path === dataset.path;
  });
}
