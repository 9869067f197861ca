import { describe, expect, it } from '@jest/globals';
import { openOperation } from '../support/page.js';
import { servePages } from '../support/served-pages.js';

const pages = servePages();

/** Executes an operation while the service is busy for some calls, and collects what the page says meanwhile. */
async function tryBusy(operationId: string, busy: number, headers: Record<string, string>) {
  const { page } = await pages.open();
  const calls: { method: string; body: string | null }[] = [];
  await page.route('**/api/todo', (route, request) => {
    calls.push({ method: request.method(), body: request.postData() });
    return calls.length > busy ? route.continue() : route.fulfill({ status: 503, headers, body: '' });
  });
  const said: string[] = [];
  await page.exposeFunction('say', (text: string) => said.push(text));
  await page.evaluate(`new MutationObserver(() => say(document.getElementById('notice').textContent))
    .observe(document.getElementById('notice'), { childList: true })`);
  const operation = await openOperation(page, operationId);
  await operation.locator('.execute').click();
  const status = operation.locator('.live-responses-table .response > .response-col_status');
  await status.waitFor();
  const shown = { status: await status.textContent(), notice: await page.locator('#notice').isVisible(), calls, said };
  await page.context().close();
  return shown;
}

// Beside each other: they mostly wait.
describe('a call that is answered 503', () => {
  it.concurrent('is repeated after the seconds that Retry-After says, and the page says so', async () => {
    const started = Date.now();
    const { status, calls, said, notice } = await tryBusy('ApiTodoPost', 2, { 'Retry-After': '1' });
    expect(Date.now() - started).toBeGreaterThan(2000);
    expect(status).toMatch(/^201/);
    expect(calls).toHaveLength(3);
    expect(new Set(calls.map((call) => JSON.stringify(call))).size).toBe(1);
    const told = said.filter(Boolean);
    expect(told).toEqual([1, 2].map((tries) => `The service is busy. Trying again in 1 s (${tries} of 4).`));
    expect(notice).toBe(false);
  });

  it.concurrent('is repeated four times at most, and then shown', async () => {
    const { status, calls, notice } = await tryBusy('ApiTodoGet', 99, { 'Retry-After': '0' });
    expect(status).toMatch(/^503/);
    expect(calls).toHaveLength(5);
    expect(notice).toBe(false);
  });

  it.concurrent.each([{}, { 'Retry-After': '3600' }, { 'Retry-After': 'Wed, 21 Oct 2037 07:28:00 GMT' }])(
    'is shown at once with the header fields %j',
    async (headers) => {
      const { status, calls, said } = await tryBusy('ApiTodoGet', 99, headers as Record<string, string>);
      expect(status).toMatch(/^503/);
      expect(calls).toHaveLength(1);
      expect(said.filter(Boolean)).toEqual([]);
    },
  );
});
