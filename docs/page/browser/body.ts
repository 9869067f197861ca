import { element } from './element.js';
import { format, type Piece } from './json.js';

/** In characters, in colour. */
const MAX_FOLDED = 10_000;
const BLOCK = 50_000;

export interface ShownBody {
  readonly element: HTMLElement;
  /** Undefined if nothing is folded. It pauses after each block, so that the page stays responsive. */
  readonly unfold: (() => Promise<void>) | undefined;
}

/** Formats and colours JSON, and shows only the beginning of a long body. */
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

/** Puts an element into the tab order as long as it scrolls, so that the keyboard can scroll it. */
export function watchScrolling(scrolled: HTMLElement): void {
  watcher.observe(scrolled);
}

const watcher = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    if (target.scrollHeight > target.clientHeight) target.setAttribute('tabindex', '0');
    else target.removeAttribute('tabindex');
  }
});

export function colour(shown: Element): void {
  shown.replaceChildren(...Array.from(format(shown.textContent ?? ''), coloured));
}

function coloured([text, kind]: Piece): Node | string {
  return kind ? element('span', { className: kind }, text) : text;
}

/** In blocks, of which browsers lay out only those in sight (`content-visibility`). */
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
