import type { Action } from '../attributes.js';
import { type Html, html } from './html.js';

/**
 * The buttons of an operation's form, and the place of its answer. The script puts copies into each operation, so
 * without scripts the page has no buttons that would do nothing.
 */
export function controls(): Html {
  return html`
    <template>
      <p class="buttons">
        <button class="send" aria-keyshortcuts="Control+Enter Meta+Enter">Send</button>
        <small class="keys">Ctrl or ⌘ + Enter</small>
        ${button('curl', 'Copy as curl')}
        ${button('fetch', 'Copy as fetch')}
        ${hiddenButton('cancel', 'Cancel')}
        <span class="said" aria-live="polite"></span>
      </p>
    </template>
    <template>
      <div class="answer" role="status" aria-atomic="false"></div>
      <p class="buttons">
        ${hiddenButton('again', 'Send again')}
        ${hiddenButton('current', 'Fetch the current ETag')}
        ${hiddenButton('next', 'Next page')}
        ${hiddenButton('all', 'Show all')}
        ${hiddenButton('copy', 'Copy body')}
      </p>
      <div class="folds">
        ${fold('Header fields', 'received')}
        ${fold('Request as sent', 'sent')}
        <details><summary>Earlier answers</summary><div data-exchange="before"></div></details>
        <details><summary>Code</summary>${pre('snippet', 'curl')}${pre('snippet', 'fetch')}</details>
      </div>
    </template>`;
}

/** Shown when it can do something. */
export function hiddenButton(action: Action, text = ''): Html {
  return html`<button type="button" data-do="${action}" hidden>${text}</button>`;
}

function button(action: Action, text: string): Html {
  return html`<button type="button" data-do="${action}">${text}</button>`;
}

function fold(title: string, part: 'received' | 'sent'): Html {
  return html`<details><summary>${title}</summary>${pre('exchange', part, title)}</details>`;
}

function pre(kind: 'exchange' | 'snippet', part: string, name = part): Html {
  return html`<pre data-${kind}="${part}" role="group" aria-label="${name}"></pre>`;
}
