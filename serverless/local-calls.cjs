const { Server } = require('node:net');
const { hostname, networkInterfaces } = require('node:os');

/**
 * Lets the servers of this process refuse what other people's pages send through the developer's browser: requests for another
 * host, whose name leads here (DNS rebinding), and any request of a page to a port that is not for pages. serverless-offline
 * takes events on its second port from everybody; such an event could write past the CSRF protection.
 *
 * Where the developer serves a name of their network (`--host`), browsers don't say whether a page of another origin calls,
 * because they send `Sec-Fetch-Site` only over https and to this machine; and serverless-offline lets pages of any origin read. So
 * there, a page's own `Origin` must be the one that it calls, or one of those named.
 *
 * @param {{ host?: string, pagePort?: number, origins?: readonly string[] }} [served] - The name under which the developer
 *   serves, besides those of this machine; the only port that pages may call, by default none; and the origins whose pages may
 *   call there, or `*`.
 */
function refuseForeignCalls(served = {}) {
  // The servers are made inside serverless-offline, which has no hook for this.
  const { emit } = Server.prototype;
  Server.prototype.emit = function (event, ...values) {
    const [request, response] = values;
    const detail = /^(request|checkContinue)$/.test(event) && refusal(request, served);
    if (!detail) return emit.call(this, event, ...values);
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail };
    response.writeHead(403, { 'Content-Type': 'application/problem+json', Connection: 'close' });
    response.end(JSON.stringify(problem));
    return true;
  };
}

module.exports = { refuseForeignCalls };

function refusal({ headers, socket }, { host, pagePort, origins = [] }) {
  const [, name] = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(headers.host?.toLowerCase() ?? '') ?? [];
  if (name === undefined || !(name === host?.toLowerCase() || isThisMachine(name))) {
    return 'The Host header field does not name this machine. Call localhost, or start with --host and that name.';
  }
  const isFromPage = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined;
  if (isFromPage && socket.localPort !== pagePort) return 'This port takes no requests from pages.';
  const isMarked = headers['sec-fetch-site'] !== undefined;
  if (host !== undefined && !isMarked && isFromElsewhere(headers) && !isNamed(headers.origin, origins)) {
    return `Pages of ${headers.origin} may not call. Name their origin: CORS_ORIGINS=${headers.origin}`;
  }
  return undefined;
}

/** Whether a page of another host or port has sent it. A sandboxed page has the origin `null`. */
function isFromElsewhere({ origin, host }) {
  return origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host.toLowerCase());
}

function isNamed(origin, origins) {
  return origins.some((named) => named === origin || named === '*');
}

/** Names below localhost always lead to this machine (RFC 6761, section 6.3). */
function isThisMachine(name) {
  if (/(^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(name)) return true;
  const addresses = Object.values(networkInterfaces()).flat();
  return name === hostname().toLowerCase() || addresses.some(({ address }) => [address, `[${address}]`].includes(name));
}
