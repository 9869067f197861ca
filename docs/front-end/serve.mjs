// `npm start -- --service URL …`: serves the app on this machine, with the options of build.mjs. Each load of the page builds it anew.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { buildApp, OPTIONS, readCommand } from './build.mjs';

const PORT = 5173;
const TYPES = { html: 'text/html', js: 'text/javascript', css: 'text/css', txt: 'text/plain' };

/** Answers with a file, by its name in the URL. Each page finds the files of its own build, and those of the last one. */
function createFiles(settings) {
  let [files, former] = [{}, {}];
  return async ({ url }, response) => {
    const name = url.replace(/[?#].*/, '').slice(1) || 'index.html';
    try {
      if (name === 'index.html') [files, former] = [await buildApp(settings), files];
    } catch (error) {
      return response.writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8' }).end(error.message);
    }
    const text = files[name] ?? former[name];
    if (text === undefined) return response.writeHead(404).end();
    const type = `${TYPES[name.split('.').at(-1)]}; charset=utf-8`;
    return response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-cache' }).end(text);
  };
}

try {
  const { names, settings } = readCommand(process.argv.slice(2));
  const [port = PORT, ...more] = names;
  if (more.length > 0 || !/^\d+$/.test(String(port)))
    throw new Error(`Usage: npm start -- [PORT] [options]; got ${names.join(' ')}.\n\n${OPTIONS}`);
  await buildApp(settings);
  const server = createServer(createFiles(settings)).listen(Number(port), '127.0.0.1');
  await once(server, 'listening');
  // A parent process says where the app is, and ends this process.
  if (!process.send) console.log(`The app is at http://localhost:${port}/`);
  process.send?.('listening');
  process.on('disconnect', () => process.exit());
} catch (error) {
  // esbuild has printed what is wrong with the code.
  if (!error.errors) console.error(error.message);
  process.exit(1);
}
