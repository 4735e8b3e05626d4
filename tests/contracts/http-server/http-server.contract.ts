import { describe } from 'vitest';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { answersContract } from './answers.contract.js';
import { bodiesContract } from './bodies.contract.js';
import { keptHeadContract } from './cached-head.contract.js';
import { connectionsContract } from './connections.contract.js';
import { deprecationsContract } from './deprecations.contract.js';
import { framingContract } from './framing.contract.js';
import { overloadContract } from './overload.contract.js';
import { proxiesContract } from './proxies.contract.js';
import { socketsContract } from './sockets.contract.js';
import { startingContract } from './starting.contract.js';
import { streamedBodiesContract } from './streamed-bodies.contract.js';

/** What the HTTP server guarantees its clients on every transport, over real sockets. */
export function httpServerContract(transport: HttpTransport): void {
  describe('responses', () => answersContract(transport));
  describe('bodies', () => bodiesContract(transport));
  describe('streamed bodies', () => streamedBodiesContract(transport));
  describe('connections', () => connectionsContract(transport));
  describe('framing', () => framingContract(transport));
  describe('proxies', () => proxiesContract(transport));
  describe('cached heads', () => keptHeadContract(transport));
  describe('deprecations', () => deprecationsContract(transport));
  describe('overload', () => overloadContract(transport));
  describe('sockets', () => socketsContract(transport));
  describe('startup', () => startingContract(transport));
}
