import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import AdmZip from 'adm-zip';

const folder = mkdtempSync(join(tmpdir(), 'todo-package-'));

beforeAll(() => {
  execFileSync('node', ['node_modules/serverless/bin/serverless.js', 'package', '--package', folder]);
  new AdmZip(join(folder, 'todo-item-service.zip')).extractAllTo(folder);
}, 60_000);

afterAll(() => rmSync(folder, { recursive: true }));

describe('the deployment package', () => {
  it('holds the built files and nothing else', () => {
    const names = new AdmZip(join(folder, 'todo-item-service.zip')).getEntries().map((entry) => entry.entryName);
    expect(names).toContain('dist/api.mjs');
    expect(names.filter((name) => !/^dist\/[\w.-]+$/.test(name))).toEqual([]);
    expect(names.filter((name) => /\.ts$|test|node_modules/.test(name))).toEqual([]);
  });

  it('has the handler that serverless.yml names, with at most two parameters', () => {
    const script = `import(${JSON.stringify(pathToFileURL(join(folder, 'dist/api.mjs')).href)}).then(async ({ handler }) => {
      const { statusCode } = await handler({ httpMethod: 'GET', path: '/api/todo' });
      process.stdout.write(JSON.stringify({ parameters: handler.length, statusCode }));
    })`;
    const printed = execFileSync('node', ['-e', script], { env: { ...process.env, LOG_LEVEL: 'silent' } });
    const { parameters, statusCode } = JSON.parse(printed.toString());
    expect(parameters).toBeLessThanOrEqual(2);
    expect(statusCode).toBe(200);
  });
});
