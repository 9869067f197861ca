import { execFileSync } from 'node:child_process';
import { unpackBrowser } from '../browser/installed.mjs';

/** Builds what tests start and package, so that it is never an old build, and prepares the browser. */
export default function setup() {
  execFileSync(process.execPath, ['--import', 'tsx', 'esbuild.ts'], { stdio: 'inherit' });
  unpackBrowser();
}
