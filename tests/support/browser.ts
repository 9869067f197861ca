import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';

/**
 * Starts headless Chromium. All of it comes from npm, with the libraries that a bare machine has not: those that it
 * brings along for Lambda, which it unpacks when told that it is there.
 *
 * @returns The browser.
 */
export async function startBrowser(): Promise<Browser> {
  const { AWS_EXECUTION_ENV, LD_LIBRARY_PATH } = process.env;
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs24.x';
  const { default: packaged } = await import('@sparticuz/chromium');
  const executablePath = await packaged.executablePath();
  const env = { ...process.env } as Record<string, string>;
  restore('AWS_EXECUTION_ENV', AWS_EXECUTION_ENV);
  restore('LD_LIBRARY_PATH', LD_LIBRARY_PATH);
  // Not the package's own arguments: they are for Lambda, and switch off what a test of a policy needs.
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];
  return chromium.launch({ executablePath, args, env });
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
