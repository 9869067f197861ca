import { spawn } from 'node:child_process';
import fc from 'fast-check';
import { calls } from './calls.mjs';
import { documents, here, startService } from './service.mjs';

const COUNT = 1_000;

/**
 * Makes a thousand random calls, valid and invalid, through a proxy that knows the 3.1 document. Each answer must match the
 * document, and the proxy and the service must agree on which requests are valid.
 *
 * @returns {Promise<string>} The result in a sentence.
 * @throws {Error} with the first call that does not match the document, and the seed that repeats it.
 */
export async function check() {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const service = await startService();
  try {
    const proxy = await startProxy(service.url);
    try {
      const seen = await callAll(proxy.url, seed);
      const counts = Object.entries(seen).map(([status, count]) => `${count} × ${status}`);
      return `${COUNT} calls through Prism (seed ${seed}) match the document: ${counts.join(', ')}`;
    } finally {
      proxy.stop();
    }
  } finally {
    await service.stop();
  }
}

async function callAll(url, seed) {
  const keys = [];
  const seen = {};
  for (const call of fc.sample(calls, { seed, numRuns: COUNT })) {
    const { forbiddenInText, ...sent } = call(keys);
    const response = await fetch(url + sent.path, sent);
    const text = await response.text();
    const { status } = response;
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]');
    const fail = (what) => {
      const told = `${JSON.stringify(sent)}\nwas answered ${status} ${text.slice(0, 300)}`;
      throw new Error(`seed ${seed}: ${what}: ${told}\nPrism says ${JSON.stringify(violations, null, 2)}`);
    };
    if (status >= 500) fail('the service failed');
    if (violations.some(({ location }) => location[0] !== 'request')) fail('the answer does not match the document');
    const isForbidden = violations.length > 0 || forbiddenInText;
    if (isForbidden && status < 400) fail('the service takes what the document forbids');
    if (!isForbidden && [400, 415].includes(status)) fail('the service rejects what the document allows');
    if (status === 201) keys.push(JSON.parse(text).key);
    if (sent.method === 'DELETE' && status === 204) keys.splice(keys.indexOf(sent.path.split('/').pop()), 1);
    seen[status] = (seen[status] ?? 0) + 1;
  }
  return seen;
}

/**
 * Starts Prism between callers and the service. It passes everything on, and lists in a header field of each answer the
 * violations of the 3.1 document.
 */
async function startProxy(upstream) {
  const prism = spawn(
    process.execPath,
    [
      `${here}../node_modules/@stoplight/prism-cli/dist/index.js`,
      ...['proxy', documents['OpenAPI 3.1'], upstream, '--port', '0'],
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  return new Promise((resolve, reject) => {
    let printed = '';
    prism.stdout.on('data', (text) => {
      printed += text;
      const [, url] = /Prism is listening on (http:\S+)/.exec(printed) ?? [];
      if (url) resolve({ url, stop: () => prism.kill() });
    });
    prism.once('exit', () => reject(new Error(`Prism ended:\n${printed}`)));
  });
}
