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
 * Whether a request comes from this machine, and from a page of this very server where a browser sent it. All three
 * are needed: the address keeps other machines out, the host a foreign name that was pointed at loopback, the origin
 * the pages of other sites in a browser on this machine.
 */
export function isLocalPage(request: Pick<HttpRequest, 'clientAddress' | 'header'>): boolean {
  const host = request.header('host') ?? '';
  if (!isLoopbackAddress(request.clientAddress) || !loopbackHost.test(host)) return false;
  const site = request.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin') return false;
  const origin = request.header('origin');
  return origin === undefined || origin === `http://${host}` || origin === `https://${host}`;
}
