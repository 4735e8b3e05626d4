import type { ListenerTls } from '#platform/config/listener-tls.js';
import type { HttpTransport } from './http-transport.js';
import { findUws } from './load-uws.js';
import { nodeTransportOver } from './node-transport.js';
import { uwsTransport } from './uws-transport.js';

export type HttpTransportChoice = 'auto' | 'uws' | 'node';

export interface OpenedHttpTransport {
  readonly transport: HttpTransport;
  /** Why it is `node:http`. */
  readonly reason?: string;
}

/**
 * `auto` is uWebSockets.js where a binding of it loads and no proxy is in front, else `node:http`: the native
 * parser refuses HTTP/1.0, which nginx sends by default, trailers, and more than 48 header fields. `uws`
 * throws where none loads. With `tls` it speaks TLS 1.2 or newer and nothing else.
 */
export function openHttpTransport(
  choice: HttpTransportChoice,
  isBehindProxy = false,
  tls?: ListenerTls,
): OpenedHttpTransport {
  const node = (reason: string): OpenedHttpTransport => ({ transport: nodeTransportOver(tls), reason });
  if (choice === 'node') return node('HTTP_SERVER is node');
  if (choice === 'auto' && isBehindProxy) {
    return node('TRUSTED_PROXIES is set; HTTP_SERVER=uws is faster if the proxies send HTTP/1.1');
  }
  const found = findUws();
  if (found.ok) return { transport: uwsTransport(found.uws, tls) };
  if (choice === 'uws') throw new Error(`HTTP_SERVER is uws, but ${found.reason}; use auto or node.`);
  return node(found.reason);
}
