const { subscribe } = require('node:diagnostics_channel');
const { once } = require('node:events');
const { createServer } = require('node:net');
const { inspect } = require('node:util');

/** What `serverless offline` needs before it serves: a free port, and a guard against pages. Then says where it is. */
module.exports = class {
  constructor({ classes, service }, options) {
    const prepareStart = async () => {
      const { host, httpPort } = { ...service.custom['serverless-offline'], ...options };
      const port = Number(httpPort) || Number.NaN;
      await tryPort(port, host).catch(({ code }) => {
        throw new classes.Error(
          `Port ${httpPort} can't be used (${code}). To start on another one: PORT=4000 npm start`,
        );
      });
      // AWS's SDK works with Node.js 20 all the same.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
      // A request is one line in the terminal, and an error is several.
      Object.assign(inspect.defaultOptions, { breakLength: 500, depth: 9 });
      const shown = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }[host] ?? host;
      const url = `http://${shown}:${port}`;
      guard(url, port);
      subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
        if (server.address()?.port !== port) return;
        console.log(`\nPage  ${url}/swagger/ui\nAPI   ${url}/api/todo\n${describeTable(service.provider)}`);
      });
    };
    // The command offline has the first, and offline start the second.
    this.hooks = { 'before:offline:start': prepareStart, 'before:offline:start:init': prepareStart };
  }
};

/** Listens for a moment: serverless-offline itself would wait for a taken port without a word. */
async function tryPort(port, host) {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  await once(server.close(), 'close');
}

/**
 * Refuses what serverless-offline would let in: requests that a foreign name leads here (DNS rebinding), and pages at its
 * other port, which takes events. Also hides `Origin` from it, or any page could read the answers. The function still gets it.
 */
function guard(url, port) {
  subscribe('http.server.request.start', ({ request, socket }) => {
    const { host, origin, 'sec-fetch-site': site } = request.headers;
    const isHere = /^((.+\.)?localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host) || host === new URL(url).host;
    const isFromPage = origin !== undefined || site !== undefined;
    delete request.headers.origin;
    if (isHere && (socket.localPort === port || !isFromPage)) return;
    const refused = isHere ? 'an event from a page' : `a request to ${JSON.stringify(host)}`;
    console.warn(`Refused ${refused}, which other people's pages could send, too. Call ${url} instead.`);
    // Node.js hands it on all the same, so it becomes one that serverless-offline itself refuses.
    Object.assign(request, { method: 'GET', url: '/%' });
    socket.destroy();
  });
}

function describeTable({ region, environment: { TABLE_NAME: table } }) {
  if (table === 'none' || !table) return '';
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB || process.env.AWS_ENDPOINT_URL || 'AWS';
  return `Table ${table} in ${region}, at ${endpoint}\n`;
}
