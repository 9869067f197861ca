import type { IncomingMessage, ServerResponse } from 'node:http';
import { Server } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';

/** Who may call the servers of this process, besides programs on this machine. */
export interface Served {
  /**
   * The name or address under which the developer serves their network. Then this machine's own name and addresses are
   * accepted, too. Otherwise only names that always mean this machine are, because the network could give its own name
   * another address.
   */
  readonly host?: string | undefined;
  /** The only port that pages may call; by default none. */
  readonly pagePort?: number | undefined;
  /** The origins of pages that may call where browsers don't mark calls, or `*`. */
  readonly origins?: readonly string[];
  /**
   * Whether to remove `Origin` from requests. serverless-offline would add CORS fields to the answers, so any page
   * could read them, unlike on AWS. The function still gets the field, because serverless-offline makes events of the
   * raw ones.
   */
  readonly hidesOrigin?: boolean;
}

/**
 * Refuses what other people's pages send through the developer's browser: requests for another host with a name that
 * leads here (DNS rebinding), and any request of a page to a port that is not for pages. serverless-offline takes
 * events on its second port from any page, and such an event could write past the CSRF protection.
 *
 * With `--host`, browsers don't mark calls of other origins, because they send `Sec-Fetch-Site` only over https and to
 * this machine. So a page's `Origin` must be the one that it calls, or one of those named.
 */
export function refuseForeignCalls(served: Served = {}): void {
  // serverless-offline has no hook for its servers.
  const emit: (this: Server, event: string, ...values: unknown[]) => boolean = Server.prototype.emit;
  Server.prototype.emit = function (this: Server, event: string, ...values: unknown[]): boolean {
    if (!/^(request|checkContinue)$/.test(event)) return emit.call(this, event, ...values);
    const [request, response] = values as [IncomingMessage, ServerResponse];
    const detail = reasonToRefuse(request, served);
    if (detail === undefined) {
      if (served.hidesOrigin) delete request.headers.origin;
      return emit.call(this, event, ...values);
    }
    const problem = { type: 'about:blank', title: 'Forbidden', status: 403, detail };
    response.writeHead(403, { 'Content-Type': 'application/problem+json', Connection: 'close' });
    response.end(JSON.stringify(problem));
    return true;
  };
}

function reasonToRefuse(
  { headers, socket }: IncomingMessage,
  { host, pagePort, origins = [] }: Served,
): string | undefined {
  const { origin, 'sec-fetch-site': site } = headers;
  const called = headers.host?.toLowerCase() ?? '';
  const [, name] = /^(\[[^\]]+\]|[^:]+)(:\d+)?$/.exec(called) ?? [];
  const isKnown = name !== undefined && (isLocal(name) || (host !== undefined && isOfNetwork(name, host)));
  if (!isKnown) {
    return 'The Host header field does not name this machine. Call localhost, or start with --host and that name.';
  }
  const isFromPage = origin !== undefined || site !== undefined;
  if (isFromPage && socket.localPort !== pagePort) return 'This port takes no requests from pages.';
  const isUnmarked = host !== undefined && site === undefined;
  if (!isUnmarked || origin === undefined || hostOf(origin) === called) return undefined;
  if (origins.includes(origin) || origins.includes('*')) return undefined;
  return `Only pages of ${called} and of the origins in CORS_ORIGINS may call, and this one is of ${origin}.`;
}

/** Undefined for `null`, which a sandboxed page sends. */
function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}

/** Names below localhost always lead to this machine (RFC 6761, section 6.3). */
function isLocal(name: string): boolean {
  return /(^|\.)localhost$|^127\.0\.0\.1$|^\[::1\]$/.test(name);
}

function isOfNetwork(name: string, host: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces);
  const isAddress = addresses.some(({ address }) => [address, `[${address}]`].includes(name));
  return isAddress || [host, hostname()].some((own) => own.toLowerCase() === name);
}
