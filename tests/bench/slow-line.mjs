// What the page costs on a slow line: `node tests/bench/slow-line.mjs dist [another dist]`. Builds are measured in turns, side by side.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { findBrowser } from '../support/browser/installed.mjs';

const ROUNDS = 9;
const [CPU, NETWORK] = [
  4,
  { offline: false, latency: 562.5, downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8 },
];

// A page can be used once the operations are there to be opened and its script has run; the frame after that shows it.
const USABLE = `new Promise((resolve) => {
  const look = () => document.readyState !== 'loading' && document.querySelector('.opblock, details[id]')
    ? requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))) : setTimeout(look, 5);
  look();
})`;

const builds = process.argv.length > 2 ? process.argv.slice(2) : ['dist'];
const { path: executablePath, libraries } = findBrowser();
const env = { ...process.env, ...(libraries && { LD_LIBRARY_PATH: libraries }) };
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'], env });
const served = await Promise.all(builds.map(serve));
const rounds = builds.map(() => []);
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [index, { url }] of served.entries()) {
    rounds[index].push({ slow: await visit(url, true), fast: await visit(url, false) });
  }
}
console.log(
  'usable on a slow line, ms (least to most) | on a fast one | script at load, ms | four times slower | bytes, gzip',
);
for (const [index, { bytes }] of served.entries()) {
  const of = (line, figure) => rounds[index].map((round) => round[line][figure]).sort((one, other) => one - other);
  const usable = of('slow', 'usable');
  const figures = [median(of('fast', 'usable')), median(of('fast', 'script')), median(of('slow', 'script')), bytes];
  console.log([`${builds[index]}: ${median(usable)} (${usable[0]} to ${usable.at(-1)})`, ...figures].join(' | '));
}
await browser.close();
for (const { server } of served) server.close().closeAllConnections();

async function serve(folder) {
  const { headers, body } = JSON.parse(readFileSync(`${folder}/page.gzip.json`, 'utf8'));
  const content = Buffer.from(body, 'base64');
  const server = createServer((_request, response) => response.writeHead(200, headers).end(content));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { server, url: `http://127.0.0.1:${server.address().port}/swagger/ui`, bytes: content.length };
}

async function visit(url, slow) {
  const context = await browser.newContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable');
  if (slow) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU });
  }
  await page.goto(url, { waitUntil: 'commit', timeout: 60_000 });
  const usable = Math.round(await page.evaluate(USABLE));
  const { metrics } = await session.send('Performance.getMetrics');
  await context.close();
  return { usable, script: round1(metrics.find(({ name }) => name === 'ScriptDuration').value * 1000) };
}

function median(sorted) {
  return sorted[(sorted.length - 1) / 2];
}

function round1(number) {
  return Math.round(number * 10) / 10;
}
