import { element } from './element.js';
import { format, piece } from './json.js';

/** As many characters are shown at first, and have colours. */
const MAX_FOLDED = 10_000;
const BLOCK = 50_000;

/** A body on the page. */
export interface ShownBody {
  readonly element: HTMLElement;
  /** Shows what is folded; undefined where nothing is. It takes breaks, so that the page stays alive. */
  readonly unfold: (() => Promise<void>) | undefined;
}

/** Shows a body, formatted and coloured if it is JSON. Of a long one just the beginning. */
export function showBody(text: string, isJson: boolean): ShownBody {
  const pre = element('pre', { tabIndex: 0, role: 'group', ariaLabel: 'Body', ariaLive: 'off' });
  const pieces = isJson ? format(text) : cut(text);
  let length = 0;
  for (let next = pieces.next(); !next.done; next = pieces.next()) {
    const [part, kind] = next.value;
    const room = MAX_FOLDED - length;
    pre.append(piece(part.slice(0, room), kind));
    if (part.length > room) return { element: pre, unfold: () => unfold(pre, part.slice(room), pieces) };
    length += part.length;
  }
  return { element: pre, unfold: undefined };
}

/** Browsers lay out just those blocks that are in sight (`content-visibility`). */
async function unfold(pre: Element, first: string, pieces: Iterable<readonly [string, string]>): Promise<void> {
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

function* cut(text: string): Generator<readonly [string, '']> {
  for (const part of text.split(/(?=\n)/)) yield [part, ''];
}
