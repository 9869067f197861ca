import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { NAME } from '../support/service/resource.js';
import { copyProject } from '../support/start/command.js';

const project = copyProject();
const file = join(project, `functions/${NAME}.ts`);
const code = readFileSync(file, 'utf8');

afterAll(() => {
  rmSync(project, { recursive: true });
});

describe('an operation that answers a status which it does not declare', () => {
  it('is not deployed: npm run deploy checks the types before anything else', () => {
    expect(run('predeploy')).toMatchObject({ status: 0 });
    const planted = code.replace(/answers: \{ 204: \{\}, 404: \{\}, 412: \{\} \}/, 'answers: { 404: {}, 412: {} }');
    expect(planted).not.toBe(code);
    writeFileSync(file, planted);
    const { status, stdout } = run('predeploy');
    expect(stdout).toMatch(FAULT);
    expect(status).not.toBe(0);
  });

  it('does not pass npm test, which checks the types before anything else, too', () => {
    const { status, stdout } = run('test');
    expect(stdout).toMatch(FAULT);
    expect(stdout).not.toContain('dist/api.mjs');
    expect(status).not.toBe(0);
  });

  it('does not pass npm run check, which otherwise checks style and format', () => {
    const { status, stdout } = run('check');
    expect(stdout).toMatch(FAULT);
    expect(status).not.toBe(0);
    writeFileSync(file, code);
    writeFileSync(join(project, 'functions/added.ts'), 'export const  spaces = 2\n');
    const formatted = run('check');
    expect(formatted.stdout + formatted.stderr).toMatch(/functions\/added\.ts format/);
    expect(formatted.status).not.toBe(0);
  });
});

const FAULT = new RegExp(`functions/${NAME}\\.ts\\(\\d+,\\d+\\): error TS\\d+: .*204`, 's');

function run(script: string) {
  return spawnSync('npm', ['run', script], { cwd: project, encoding: 'utf8', shell: process.platform === 'win32' });
}
