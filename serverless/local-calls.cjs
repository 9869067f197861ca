const { Server } = require('node:net');
const { hostname, networkInterfaces } = require('node:os');

/**
 * Lets the servers of this process refuse what other people's pages send through the developer's browser: requests for another
 * host, whose name leads here (DNS rebinding), and any request of a page to a port that is not for pages. serverless-offline
 * takes events on its second port from everybody; such an event could write past the CSRF protection.
 *
 * @param {{ host?: string, pagePort?: number }} [served] - The name under which the developer serves, besides those of this
 *   machine; and the only port that pages may call. By default, none.
 */
function refuseForeignCalls({ host, pagePort } = {}) {
  // The servers are made inside serverless-offline, which has no hook for this.
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event, ...values) {
    const [request, response] = values;
    const detail = /^(request|checkContinue)$/.test(event) && refusal(request, host, pagePort);
    if (!detail) return emit.call(this, event, ...values);
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail };
    response.writeHead(403, { 'Content-Type': 'application/problem+json', Connection: 'close' });
    response.end(JSON.stringify(problem));
    return true;
  };
}

module.exports = { refuseForeignCalls };

function refusal({ headers, socket }, host, pagePort) {
  const [, name] = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(headers.host?.toLowerCase() ?? '') ?? [];
  if (name === undefined || !(name === host?.toLowerCase() || isThisMachine(name))) {
    return 'The Host header field does not name this machine. Call localhost, or start with --host and that name.';
  }
  const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isFromPage && socket.localPort !== pagePort) return 'This port takes no requests from pages.';
  return undefined;
}

/** Names below localhost always lead to this machine (RFC 6761, section 6.3). */
function isThisMachine(name) {
  if (/(^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(name)) return true;
  const addresses = Object.values(networkInterfaces()).flat();
  return name === hostname().toLowerCase() || addresses.some(({ address }) => [address, `[${address}]`].includes(name));
}
