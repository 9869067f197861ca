import type { Outcome } from './send.js';

/** A status with its reason, or why there is none. */
export function titleOf(outcome: Outcome, operation: Element): string {
  if (outcome.kind !== 'answer') return outcome.reason;
  const { status, statusText } = outcome;
  const known = documented(operation, status) ?? documented(document, status);
  const reason = known?.querySelector('span')?.textContent || statusText || REASONS[status];
  return `${status} ${reason ?? ''}`.trim();
}

/** Of gateways, because HTTP/2 sends no reasons. */
const REASONS: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  429: 'Too Many Requests',
  502: 'Bad Gateway',
  504: 'Gateway Timeout',
};

export function documented(within: Element | Document, status: number): Element | null {
  return within.querySelector(`[data-status="${status}"]`);
}
