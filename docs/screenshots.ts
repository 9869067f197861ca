// `npm run screenshots` makes the README's pictures of the page, light and dark.
import { startBrowser } from '../tests/support/browser/installed.mjs';
import { startOffline } from '../tests/support/offline.js';

const { url, stop } = await startOffline();
const browser = await startBrowser();
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1120, height: 760 } });
  await page.goto(`${url}/swagger/ui#ApiTodoPost`);
  const post = page.locator('#ApiTodoPost');
  await post.getByRole('button', { name: 'Send' }).click();
  await post.getByRole('status').filter({ hasText: /^201/ }).waitFor();
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `docs/page-${colorScheme}.png` });
}
await browser.close();
await stop();
