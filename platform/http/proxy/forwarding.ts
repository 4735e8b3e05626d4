import { isIP } from 'node:net';
import type { TrustedProxies } from './trusted-proxies.js';

/** How a server is reached from outside. */
export interface Forwarding {
  /** Scheme, host and path prefix for clients, without a slash at the end; wins over what requests say. */
  readonly publicUrl?: string | undefined;
  /** The listener itself speaks TLS. */
  readonly hasTls?: boolean | undefined;
  readonly proxies?: TrustedProxies | undefined;
}

interface Headers {
  /** The first field of this name. */
  get(name: string): string | undefined;
  all(name: string): readonly string[];
}

/** Proxies in a row of which the addresses are read. */
const hopsMax = 16;
const hostPattern = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[0-9a-f:]{2,39}\](?::\d{1,5})?$/i;
const prefixPattern = /^(?:\/(?!\.)[\w.~-]{1,64}){1,8}\/?$/;

/**
 * The address of the client: the last one in `X-Forwarded-For` that is not a trusted proxy, because each
 * proxy appends the address it saw and only those in front of a trusted one are believed. `Forwarded` is
 * not read: a proxy that writes the one field usually passes on the other as the client sent it.
 */
export function clientAddressOf({ proxies }: Forwarding, headers: Headers, peer: string): string {
  if (proxies === undefined || !proxies.includes(peer)) return peer;
  const hops = headers.all('x-forwarded-for').join(',').split(',');
  let address = peer;
  for (let left = hopsMax; left > 0 && hops.length > 0 && proxies.includes(address); left -= 1) {
    const hop = bareAddress(hops.pop()!.trim());
    if (hop === undefined) break;
    address = hop;
  }
  return address;
}

/** Without the port that some proxies add. */
function bareAddress(hop: string): string | undefined {
  const bare = /^\[(?<v6>[^\]]+)\](?::\d{1,5})?$|^(?<v4>[\d.]+):\d{1,5}$/.exec(hop)?.groups;
  const address = bare?.['v6'] ?? bare?.['v4'] ?? hop;
  return isIP(address) === 0 ? undefined : address;
}

/**
 * The address under which the client reaches this server, without a slash at the end: as configured, else
 * from the listener, the Host field and, from a trusted proxy, `X-Forwarded-Proto` and `X-Forwarded-Prefix`.
 * Nothing if the Host field names no host.
 */
export function baseUrlOf(forwarding: Forwarding, headers: Headers, peer: string): string | undefined {
  const { publicUrl, hasTls, proxies } = forwarding;
  if (publicUrl !== undefined) return publicUrl;
  const host = headers.get('host') ?? '';
  if (!hostPattern.test(host)) return undefined;
  const isTrusted = proxies?.includes(peer) === true;
  const forwarded = isTrusted ? headers.get('x-forwarded-proto')?.toLowerCase() : undefined;
  const isHttps = forwarded === 'https' || (hasTls === true && forwarded !== 'http');
  const scheme = isHttps ? 'https' : 'http';
  return `${scheme}://${host}${isTrusted ? forwardedPrefix(headers) : ''}`;
}

function forwardedPrefix(headers: Headers): string {
  const prefix = headers.get('x-forwarded-prefix') ?? '';
  return prefixPattern.test(prefix) ? prefix.replace(/\/$/, '') : '';
}

/** The path in front of all paths of this server, as clients see them; mostly empty. */
export function prefixOf(forwarding: Forwarding, headers: Headers, peer: string): string {
  const { publicUrl, proxies } = forwarding;
  if (publicUrl !== undefined) return new URL(publicUrl).pathname.replace(/\/+$/, '');
  return proxies?.includes(peer) === true ? forwardedPrefix(headers) : '';
}
