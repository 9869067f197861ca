import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Command } from '../start/command.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const APP = 'docs/front-end';
const folder = temporaryFolder();
const json = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
const read = (...path: readonly string[]) => readFileSync(join(...path), 'utf8');

/** Builds the app, and returns what was printed. */
async function build(...options: readonly string[]): Promise<{ code: number | null; printed: string }> {
  const command = new Command('.', [process.execPath, `${APP}/build.mjs`, ...options], { INIT_CWD: folder });
  return { code: await command.code, printed: command.printed };
}

async function refusal(...options: readonly string[]): Promise<string> {
  const { code, printed } = await build(...options);
  expect(code).toBe(1);
  return printed;
}

/** The policy of a page, by its directives. */
function policyOf(html: string): Record<string, string> {
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
  return Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.replace(/^\S+ /, '')]));
}

describe('npm run build', () => {
  let provider: Server;
  let issuer: string;
  let document: object;

  beforeAll(async () => {
    provider = createServer((_request, response) => response.end(JSON.stringify(document)));
    issuer = `http://${await listen(provider)}`;
  });

  beforeEach(() => {
    document = { token_endpoint: 'https://tokens.example/oauth2/token' };
  });

  afterAll(() => void provider.close());

  it('writes files whose names change with what is in them, and a page that names them', async () => {
    const { code, printed } = await build('new/app', '--service', 'https://api.example/live/');
    expect([code, printed]).toEqual([0, 'The app is in new/app.\n']);
    const names = readdirSync(join(folder, 'new/app')).sort();
    expect(names).toEqual([
      'LICENSES.txt',
      'app-files.txt',
      'index.html',
      expect.stringMatching(/^main-[A-Z\d]{8}\.js$/),
      expect.stringMatching(/^style-[A-Z\d]{8}\.css$/),
    ]);
    const html = read(folder, 'new/app/index.html');
    for (const name of names.slice(3)) expect(html).toContain(`"${name}"`);
    expect(html).toContain('id="settings">{"service":"https://api.example/live"}</script>');
    expect(read(folder, 'new/app/LICENSES.txt')).toMatch(/Apache License.*openapi-fetch\n\nMIT License/s);
  });

  it('lets the page call the service, the provider and its token endpoint, and load nothing from elsewhere', async () => {
    const options = ['--service', 'https://api.example/live', '--issuer', issuer, '--client', 'app'];
    await build('policy', ...options, '--scope', 'openid read', '--audience', '</script>');
    const html = read(folder, 'policy/index.html');
    expect(policyOf(html)).toEqual({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'img-src': 'data:',
      'connect-src': `https://api.example ${issuer} https://tokens.example`,
      'base-uri': "'none'",
      'form-action': "'none'",
    });
    const [, settings = ''] = /id="settings">(.*)<\/script>/.exec(html) ?? [];
    const signIn = { issuer, client: 'app', scope: 'openid read', audience: '</script>' };
    expect(JSON.parse(settings)).toEqual({ service: 'https://api.example/live', signIn });
    expect(settings).not.toContain('</script>');
  });

  it('calls the origin of the page without --service', async () => {
    await build('same');
    expect(policyOf(read(folder, 'same/index.html'))['connect-src']).toBe("'self'");
  });

  it('replaces what a former build has written, and leaves no file of it', async () => {
    await build('again');
    const at = join(folder, 'again');
    const [script = ''] = readdirSync(at).filter((name) => name.endsWith('.js'));
    writeFileSync(join(at, 'main-OLD.js'), '');
    writeFileSync(join(at, 'app-files.txt'), read(at, 'app-files.txt').replace(script, `${script}\nmain-OLD.js`));
    expect(await build('again')).toMatchObject({ code: 0 });
    expect(readdirSync(at)).toContain(script);
    expect(readdirSync(at)).not.toContain('main-OLD.js');
  });

  it.each([
    ['a file of its own', 'mine.txt', 'mine.txt is not from a former build. Name a folder that is new or empty.'],
    ['a list of another program', 'app-files.txt', 'app-files.txt is not from a former build.'],
  ])('touches nothing in a folder that has %s', async (_, name, reason) => {
    const at = join(folder, `other-${name}`);
    mkdirSync(at);
    writeFileSync(join(at, name), 'app-files.txt\nmine.txt\n');
    expect(await refusal(at)).toContain(reason);
    expect(readdirSync(at)).toEqual([name]);
    expect(read(at, name)).toBe('app-files.txt\nmine.txt\n');
  });

  it('touches nothing where a file has the name of the folder, or the provider can not be asked', async () => {
    writeFileSync(join(folder, 'a-file'), 'mine');
    expect(await refusal('a-file')).toContain('a-file is no folder. Nothing was touched.');
    const client = ['--client', 'app'];
    const nobody = await refusal('none', '--issuer', 'http://127.0.0.1:9', ...client);
    expect(nobody).toMatch(
      /^The provider's http:\/\/127.0.0.1:9\/.well-known\/openid-configuration could not be read: .+ Nothing was built.\n$/,
    );
    document = {};
    expect(await refusal('none', '--issuer', issuer, ...client)).toContain('it names no token_endpoint');
    expect([existsSync(join(folder, 'none')), read(folder, 'a-file')]).toEqual([false, 'mine']);
  });

  it.each([
    [[], 'got 0 folders.'],
    [['one', 'two'], 'got 2 folders.'],
    [['x', '--service', 'api.example'], '--service is "api.example": it takes a URL'],
    [['x', '--issuer', 'https://id.example'], '--issuer needs --client'],
    [['x', '--client', 'app'], '--client needs --issuer'],
    [
      ['x', '--issuer', 'https://id.example', '--client', 'app', '--scope', 'read'],
      '--scope is "read": it needs openid',
    ],
    [['x', '--isuer', 'https://id.example'], "Unknown option '--isuer'"],
  ])('says what is wrong with %j', async (options, reason) => {
    expect(await refusal(...options)).toContain(reason);
  });
});

describe('whoever copies docs/front-end', () => {
  const manifest = json(`${APP}/package.json`);

  it('can take the first layer as it is, because it imports nothing of the page', () => {
    const imports = readdirSync(`${APP}/service`).flatMap((name) =>
      [...read(APP, 'service', name).matchAll(/(?:from |import ?\(?)'([^']+)'/g)].map(([, path]) => path),
    );
    expect(imports.filter((path) => !/^\.\/[\w-]+\.js$/.test(String(path))).sort()).toEqual(
      Object.keys(manifest.dependencies).sort(),
    );
  });

  it('has all that it takes in the folder: it extends and imports nothing of this project', () => {
    const copy = join(folder, 'copy');
    cpSync(APP, copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
    symlinkSync(resolve('node_modules'), join(copy, 'node_modules'), 'junction');
    const run = (...words: readonly string[]) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, encoding: 'utf8' });
      expect([status, stdout + stderr]).toEqual([0, expect.not.stringMatching(/error/i)]);
    };
    run('node_modules/typescript/bin/tsc');
    run('build.mjs', join(folder, 'copied'));
  });

  it('gets the packages that are tested here', () => {
    const { dependencies, devDependencies } = json('package.json');
    const ours = { ...dependencies, ...devDependencies };
    const theirs = Object.entries({ ...manifest.dependencies, esbuild: manifest.devDependencies.esbuild });
    expect(theirs).toEqual(theirs.map(([name]) => [name, ours[name]]));
  });

  it('gets types of the document as it is: npm run types writes them', () => {
    const digest = createHash('sha256').update(readFileSync('docs/openapi.json')).digest('hex');
    const [head] = read(APP, 'service/openapi.d.ts').split('\n');
    // If this fails, docs/openapi.json has changed: run npm --prefix docs/front-end run types.
    expect(head).toBe(`// Written by \`npm run types\`. SHA-256 of the document: ${digest}`);
  });
});

it('nothing of the app is deployed with the function', () => {
  for (const name of readdirSync('dist').filter((file) => /\.mjs$|LICENSES/.test(file)))
    expect(read('dist', name)).not.toMatch(/oidc-client-ts|openapi-fetch/);
});
