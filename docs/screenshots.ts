// Makes the pictures in the README and the guide to web apps, of the page and the app as they are, light and dark: `npm run screenshots`.
import { spawn } from 'node:child_process';
import { chromium } from 'playwright-core';
import { freePort } from '../tests/support/free-port.js';
import { startBrowser } from '../tests/support/browser/installed.mjs';

const [port, appPort] = [String(await freePort()), String(await freePort(5173))];
const app = `http://localhost:${appPort}`;
const env = { ...process.env, LOG_LEVEL: 'silent', CORS_ORIGINS: app };
const started = [
  await start('Document', 'serverless/local/start.mjs', '--httpPort', port),
  await start('The app', 'docs/front-end/start.mjs', '--alone', appPort, '--service', `http://localhost:${port}`),
];
for (const [name, isComplete] of [
  ['Water the plants', true],
  ['Book the train to Lisbon', false],
  ['Call the plumber about the tap', false],
  ['Return the books', false],
])
  await fetch(`http://127.0.0.1:${port}/api/todo`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, isComplete }),
  });
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

  await page.setViewportSize({ width: 560, height: 760 });
  await page.goto(app);
  await page.getByLabel('Show what is done').check();
  await page.getByText('Water the plants').waitFor();
  await page.getByRole('button', { name: /^Edit Call the plumber/ }).click();
  await page.getByLabel('Name').waitFor();
  await page.screenshot({ path: `docs/app-${colorScheme}.png` });
}
await server.close();
for (const one of started) one.kill();
process.exit();

/** Starts a program, and waits until it prints a text. */
async function start(text: string, ...words: readonly string[]) {
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const part of child.stdout) if (String(part).includes(text)) break;
  return child;
}
