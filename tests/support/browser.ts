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
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return chromium.launch({ executablePath, args: [...packaged.args, ...quiet], env });
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
