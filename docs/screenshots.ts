// Makes docs/page-light.png and docs/page-dark.png, the pictures in the README, of the page as it is: `npm run screenshots`.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { freePort } from '../serverless/local/ports.js';
import { startBrowser } from '../tests/support/browser/installed.mjs';

const port = String(await freePort());
const service = spawn(process.execPath, ['serverless/local/start.mjs', '--httpPort', port], {
  env: { ...process.env, LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
for await (const printed of service.stdout) if (String(printed).includes('Document')) break;
const server = await startBrowser();
const browser = await chromium.connect(server.wsEndpoint());
for (const colorScheme of ['light', 'dark'] as const) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 1120, height: 760 } });
  await page.goto(`http://127.0.0.1:${port}/swagger/ui`);
  const post = page.locator('details', { has: page.getByText('POST', { exact: true }) }).first();
  await post.locator('summary').first().click();
  await post.getByRole('button', { name: 'Send', exact: true }).click();
  await post.getByRole('status').filter({ hasText: /^201/ }).waitFor();
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement.blur(); scrollTo(0, 0)');
  await page.screenshot({ path: `docs/page-${colorScheme}.png` });
}
await server.close();
service.kill();
process.exit();
