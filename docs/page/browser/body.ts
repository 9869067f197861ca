import { element } from './element.js';
import { format, type Piece } from './json.js';

/** How many characters are shown at first, in colour. */
const MAX_FOLDED = 10_000;
const BLOCK = 50_000;

export interface ShownBody {
  readonly element: HTMLElement;
  /** Shows what is folded; undefined if nothing is. It pauses after each block, so that the page stays responsive. */
  readonly unfold: (() => Promise<void>) | undefined;
}

/** Shows a body, formatted and coloured if it is JSON, and only the beginning of a long one. */
export function showBody(text: string, isJson: boolean): ShownBody {
  const pre = element('pre', { role: 'group', ariaLabel: 'Body', ariaLive: 'off' });
  watchScrolling(pre);
  const pieces = isJson ? format(text) : linesOf(text);
  let length = 0;
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    const [part, kind] = next.value;
    const space = MAX_FOLDED - length;
    pre.append(coloured([part.slice(0, space), kind]));
    if (part.length > space) return { element: pre, unfold: () => unfold(pre, part.slice(space), pieces) };
    length += part.length;
  }
  return { element: pre, unfold: undefined };
}

/** Puts an element into the tab order as long as it scrolls, so that it can be scrolled by keyboard. */
export function watchScrolling(scrolled: HTMLElement): void {
  watcher.observe(scrolled);
}

const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollHeight > target.clientHeight) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

/** Colours the JSON in an element, and formats it. */
export function colour(shown: Element): void {
  shown.replaceChildren(...Array.from(format(shown.textContent ?? ''), coloured));
}

function coloured([text, kind]: Piece): Node | string {
  return kind ? element('span', { className: kind }, text) : text;
}

/** Shows the rest in blocks, of which browsers lay out only those in sight (`content-visibility`). */
async function unfold(pre: Element, first: string, pieces: Iterable<Piece>): Promise<void> {
  let block = first;
  for (const [part] of pieces) {
    if (block.length > BLOCK && part.startsWith('\n')) {
      pre.append(element('span', { className: 'block' }, block));
      block = part.slice(1);
      await new Promise((resolve) => setTimeout(resolve));
    } else block += part;
  }
  pre.append(element('span', { className: 'block' }, block));
}

function* linesOf(text: string): Generator<Piece> {
  for (const part of text.split(/(?=\n)/)) yield [part, ''];
}
