// Makes the pictures in the README, of the page and the web app as they are, light and dark: `npm run screenshots`.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { freePort } from '../serverless/local/ports.js';
import { startBrowser } from '../tests/support/browser/installed.mjs';

const port = String(await freePort());
const service = spawn(process.execPath, ['serverless/local/start.mjs', '--app', '--httpPort', port], {
  env: { ...process.env, LOG_LEVEL: 'silent' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let printed = '';
for await (const part of service.stdout) {
  printed += part;
  if (printed.includes('Document')) break;
}
const [, app = ''] = /App +(\S+)/.exec(printed) ?? [];
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

  // As high as the page's picture, and half as wide, because they are shown side by side.
  await page.setViewportSize({ width: 560, height: 760 });
  await page.goto(app);
  await page.getByLabel('Show what is done').check();
  for (const name of [
    'Water the plants',
    'Book the train to Lisbon',
    'Call the plumber about the tap',
    'Return the books',
  ]) {
    if ((await page.getByText(name).count()) > 0) continue;
    await page.getByLabel('New item').fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('listitem').filter({ hasText: name }).waitFor();
  }
  for (const name of ['Item1', 'Water the plants']) await page.getByLabel(name, { exact: true }).check();
  await page.getByRole('button', { name: /^Edit Call the plumber/ }).click();
  await page.getByLabel('Name').waitFor();
  await page.screenshot({ path: `docs/app-${colorScheme}.png` });
}
await server.close();
service.kill();
process.exit();
