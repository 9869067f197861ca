import { execFileSync } from 'node:child_process';
import { unpackBrowser } from '../browser/installed.mjs';

/** Builds what tests start and package, and unpacks the browser. */
export default async function setup() {
  execFileSync(process.execPath, ['--import', 'tsx', 'esbuild.ts'], { stdio: 'inherit' });
  await unpackBrowser();
}
