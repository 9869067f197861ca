import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** What is generated or installed. */
const LEFT_OUT = /^(\.git|dist|coverage|\.dev|\.serverless|\.dynamodb)$|(^|\/)node_modules$/;
/** Of the packages, only the bundled ones are copied, because their paths are in the source map. */
const BUNDLED = ['aws4', 'jose', 'uuid'];

/**
 * Copies the project to a folder, and links its packages there. The folder's name has a space and another alphabet's letter, and
 * its time zone is 5:45 ahead: all must work there, too.
 *
 * @param {(folder: string, run: (program: string, ...options: string[]) => void) => void} work - What to do in it. `run` runs a
 * program there, and throws if that fails. The folder is removed afterwards.
 */
export function inCopy(work) {
  const parent = mkdtempSync(join(tmpdir(), 'todo-'));
  const folder = join(parent, 'your own ü');
  const env = { ...process.env, TZ: 'Asia/Kathmandu' };
  try {
    mkdirSync(folder);
    cpSync('.', folder, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    // What an operator decides is nothing that tests depend on.
    writeFileSync(join(folder, 'serverless/stages.yml'), 'default: {}\n');
    mkdirSync(join(folder, 'node_modules'));
    for (const name of readdirSync('node_modules')) {
      const [from, to] = [resolve('node_modules', name), join(folder, 'node_modules', name)];
      if (BUNDLED.includes(name)) cpSync(from, to, { recursive: true });
      else symlinkSync(from, to, 'junction');
    }
    work(folder, (program, ...options) => {
      const { status } = spawnSync(program, options, { cwd: folder, env, stdio: 'inherit' });
      if (status !== 0) throw new Error(`${program} ${options.join(' ')} ended with ${status}`);
    });
  } finally {
    rmSync(parent, { recursive: true });
  }
}
