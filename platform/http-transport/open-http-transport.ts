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

/** `auto` is uWebSockets.js where a binding of it loads, else `node:http`. `uws` throws where none loads. */
export function openHttpTransport(choice: HttpTransportChoice): OpenedHttpTransport {
  if (choice === 'node') return { transport: nodeTransport, reason: 'HTTP_SERVER is node' };
  const found = findUws();
  if (found.ok) return { transport: uwsTransport(found.uws) };
  if (choice === 'uws') throw new Error(`HTTP_SERVER is uws, but ${found.reason}; use auto or node.`);
  return { transport: nodeTransport, reason: found.reason };
}
