// Makes the README's pictures of the page, light and dark: `npm run screenshots`.
import { spawn } from 'node:child_process';
import { startBrowser } from '../tests/support/browser/installed.mjs';
import { freePort } from '../tests/support/free-port.js';

const PORT = String(await freePort());
const url = `http://127.0.0.1:${PORT}`;
const env = { ...process.env, PORT, LOG_LEVEL: 'silent' };
const command = ['node_modules/serverless/bin/serverless.js', 'offline'];
const service = spawn(process.execPath, command, { env, stdio: ['ignore', 'pipe', 'inherit'] });
await new Promise((resolve) => service.stdout.on('data', (text) => String(text).includes(url) && resolve(text)));
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
service.kill();
