const { subscribe } = require('node:diagnostics_channel');
const { once } = require('node:events');
const { createServer } = require('node:net');
const { inspect } = require('node:util');

/** Before `serverless offline` serves, checks that the port is free, and guards it against websites. Prints the addresses. */
module.exports = class {
  constructor({ classes, service }, options) {
    const prepareStart = async () => {
      const { host, httpPort } = { ...service.custom['serverless-offline'], ...options };
      const port = Number(httpPort) || Number.NaN;
      await tryPort(port, host).catch(({ code }) => {
        throw new classes.Error(
          `Port ${httpPort} can't be used (${code}). To use another one, run PORT=4000 npm start`,
        );
      });
      // The SDK would warn about Node.js 20, on which it still works.
      process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
      printEntries();
      const shown = { '0.0.0.0': '127.0.0.1', '::': '[::1]', '::1': '[::1]' }[host] ?? host;
      const url = `http://${shown}:${port}`;
      guard(url, port);
      subscribe('tracing:net.server.listen:asyncEnd', ({ server }) => {
        if (server.address()?.port !== port) return;
        console.log(`\nPage  ${url}/swagger/ui\nAPI   ${url}/api/todo\n${describeTable(service.provider)}`);
      });
    };
    // `serverless offline` runs the first, and `serverless offline start` the second.
    this.hooks = { 'before:offline:start': prepareStart, 'before:offline:start:init': prepareStart };
  }
};

/** Listens for a moment, because serverless-offline would wait for a port that is taken, without a word. */
async function tryPort(port, host) {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  await once(server.close(), 'close');
}

/** Prints a request on one line and an error on several, and like Lambda leaves out members that are undefined. */
function printEntries() {
  Object.assign(inspect.defaultOptions, { breakLength: 500, depth: 9 });
  for (const level of ['info', 'warn', 'error']) {
    const print = console[level];
    console[level] = (first, ...more) => print(first?.event ? JSON.parse(JSON.stringify(first)) : first, ...more);
  }
}

/**
 * Refuses what serverless-offline accepts: requests under a name that a website has pointed at this machine (DNS rebinding),
 * and requests from pages to its second port, which runs events. Also hides `Origin` from serverless-offline, because it would
 * let any page read the responses. The function still gets it.
 */
function guard(url, port) {
  subscribe('http.server.request.start', ({ request, socket }) => {
    const { host, origin, 'sec-fetch-site': site } = request.headers;
    const isHere = /^((.+\.)?localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(host) || host === new URL(url).host;
    const isFromPage = origin !== undefined || site !== undefined;
    delete request.headers.origin;
    if (isHere && (socket.localPort === port || !isFromPage)) return;
    const refused = isHere ? 'an event from a page' : `a request to ${JSON.stringify(host)}`;
    console.warn(`Refused ${refused}, because any website could send it. Call ${url} instead.`);
    // Node.js still passes the request on, so it becomes one that serverless-offline rejects.
    Object.assign(request, { method: 'GET', url: '/%' });
    socket.destroy();
  });
}

function describeTable({ region, environment: { TABLE_NAME: table } }) {
  if (table === 'none' || !table) return '';
  const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB || process.env.AWS_ENDPOINT_URL || 'AWS';
  return `Table ${table} in ${region}, at ${endpoint}\n`;
}
