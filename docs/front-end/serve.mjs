import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildApp } from './build.mjs';

const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', txt: 'text/plain' };

/**
 * Serves the app on this machine. Each load of the page builds it anew.
 *
 * @param {Parameters<typeof buildApp>[0] | Promise<Parameters<typeof buildApp>[0]>} settings - What the page gets to know. Requests wait for it.
 * @param {number} first - The port.
 * @param {number} last - The last port to try, if the first one is taken.
 * @returns {Promise<number>} The port.
 * @throws {Error} Node.js's, if there is none.
 */
export async function serveApp(settings, first, last = first) {
  const server = createServer(createListener(settings));
  for (let port = first; ; port++) {
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return port;
    } catch (error) {
      if (error.code !== 'EADDRINUSE' || port === last) throw error;
    }
  }
}

/** Answers with a file, by its name in the URL. Each page finds the files of its own build, and those of the last one. */
function createListener(settings) {
  let [files, former] = [new Map(), new Map()];
  return async ({ url }, response) => {
    const name = url.replace(/[?#].*/, '').slice(1) || 'index.html';
    try {
      if (name === 'index.html') [files, former] = [new Map(Object.entries(await buildApp(await settings))), files];
      const text = files.get(name) ?? former.get(name);
      if (text === undefined) return response.writeHead(404).end();
      const type = `${TYPES[name.split('.').at(-1)]}; charset=utf-8`;
      return response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(text);
    } catch (error) {
      return response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error.message);
    }
  };
}
