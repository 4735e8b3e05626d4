import { BlockList, isIP } from 'node:net';
import type { HttpRequest } from '#platform/http/http-types.js';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

function isLoopbackAddress(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

const loopbackHost = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/**
 * What proxies and networks of caches add to a request; browsers and this server's pages send none of them.
 */
const addedOnTheWay = /^(?:forwarded|via|x-.*|cf-.*|cdn-loop|.*client-ip)$/;

/**
 * nginx with its default settings adds no field and rewrites the host, but sends `connection: close` with
 * each request.
 */
function isForwarded(request: LocalRequest): boolean {
  return (
    request.headerNames().some((name) => addedOnTheWay.test(name)) ||
    request.header('connection')?.toLowerCase() === 'close'
  );
}

type LocalRequest = Pick<HttpRequest, 'clientAddress' | 'header' | 'headerNames'>;

/**
 * Whether a request comes from this machine, not through a proxy on it, and, if a browser sent it, from a
 * page of this server. All checks are needed. The address excludes other machines, the host a foreign name
 * that resolves to loopback, the proxy fields clients of a local proxy, and the origin pages of other sites
 * in a local browser.
 */
export function isLocalPage(request: LocalRequest): boolean {
  const host = request.header('host') ?? '';
  if (!isLoopbackAddress(request.clientAddress) || !loopbackHost.test(host)) return false;
  if (isForwarded(request)) return false;
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = request.header('origin');
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
