import type { HttpTransport } from './http-transport.js';
import { findUws } from './load-uws.js';
import { nodeTransport } from './node-transport.js';
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
 * throws where none loads.
 */
export function openHttpTransport(choice: HttpTransportChoice, isBehindProxy = false): OpenedHttpTransport {
  if (choice === 'node') return { transport: nodeTransport, reason: 'HTTP_SERVER is node' };
  if (choice === 'auto' && isBehindProxy) {
    const reason = 'TRUSTED_PROXIES is set; HTTP_SERVER=uws is faster if the proxies send HTTP/1.1';
    return { transport: nodeTransport, reason };
  }
  const found = findUws();
  if (found.ok) return { transport: uwsTransport(found.uws) };
  if (choice === 'uws') throw new Error(`HTTP_SERVER is uws, but ${found.reason}; use auto or node.`);
  return { transport: nodeTransport, reason: found.reason };
}
