/**
 * Puts swagger-ui in the place of the plain list as soon as it shows operations. What the reader has opened stays open,
 * and the focus stays where it is.
 *
 * @param {HTMLElement} plain - The list that came with the page.
 * @param {HTMLElement} interactive - What swagger-ui renders into, hidden until then.
 * @param {object} layoutActions - swagger-ui's.
 */
export function takeOver(plain, interactive, layoutActions) {
  new MutationObserver((_, observer) => {
    if (!interactive.querySelector('.opblock')) return;
    observer.disconnect();
    const focused = document.activeElement.closest('#plain details');
    for (const { dataset } of plain.querySelectorAll('details[open]')) {
      layoutActions.show(['operations', dataset.tag, dataset.operation], true);
    }
    interactive.hidden = false;
    plain.remove();
    if (!focused) return;
    const { tag, operation } = focused.dataset;
    interactive.querySelector(`#operations-${tag}-${operation} button`).focus();
  }).observe(interactive, { childList: true, subtree: true });
}
