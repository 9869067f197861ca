import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { asCurl } from '../../docs/page/browser/curl.js';
import { send } from '../../docs/page/browser/request.js';
import { listen } from '../support/listen.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const cwd = temporaryFolder();

const received: unknown[] = [];
const server = createServer(async (request, response) => {
  const { method, url, headers } = request;
  const body = await text(request);
  received.push({ method, url, body, condition: headers['if-match'], token: headers.authorization });
  response.end();
});
let origin: string;

beforeAll(async () => {
  origin = `http://${await listen(server)}`;
});
beforeEach(() => void received.splice(0));
afterAll(() => server.close().closeAllConnections());

const runInShell = (command: string) => run('sh', ['-c', command], { cwd, env: { ...process.env, TOKEN: 'mine' } });

const NASTY = `it's "so" $HOME $(touch ran) \`id\` \${x} \\ \\n \\' !! !x %s %41 & | ; < > * ? [a-z] {1..3} ~ # ü 😀`;

it.each<[method: string, path: string, condition: string | undefined, body: string | undefined]>([
  ['POST', '', undefined, NASTY],
  ['POST', '', undefined, '@/etc/hostname\n\n'],
  ['PUT', encodeURIComponent(NASTY), '"@a", "b"', '{}'],
  ['GET', `?after=${encodeURIComponent(NASTY)}`, undefined, undefined],
  ['DELETE', '-X', `"it's $HOME $(touch ran) \`id\` \\ !x"`, undefined],
  ['GET', '', 'Bearer $TOKEN', undefined],
])(
  'a curl command sends what the page sends: %s %j, If-Match %j, the body %j',
  async (method, path, condition, body) => {
    const headers = condition === undefined ? [] : [['If-Match', condition] as const];
    const request = { method, url: new URL(`${origin}/${path}`), headers, ...(body !== undefined && { body }) };
    await send(request, new AbortController().signal);
    await runInShell(asCurl(request));
    const [sent, again] = received;
    expect(sent).toMatchObject({ method, ...(condition && { condition }), ...(body && { body }) });
    expect(again).toEqual(sent);
    expect((await run('ls', { cwd })).stdout).toBe('');
  },
);

it('a curl command takes the token from a variable, so that it can be shown and copied', async () => {
  const headers = [['Authorization', 'Bearer secret'] as const];
  const command = asCurl({ method: 'GET', url: new URL(origin), headers });
  expect(command).not.toContain('secret');
  await runInShell(command);
  expect(received).toMatchObject([{ token: 'Bearer mine' }]);
});
