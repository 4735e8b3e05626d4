import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { afterAll, beforeAll, describe } from 'vitest';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { findUws } from '#platform/http-transport/load-uws.js';
import { nodeTransportOver } from '#platform/http-transport/node-transport.js';
import { uwsTransport } from '#platform/http-transport/uws-transport.js';
import { listenerTls, removeFiles } from '../platform/http/listener-certificate.js';
import { certificateOf } from '../platform/http/start-server.js';
import { httpServerContract } from './http-server/http-server.contract.js';

const tls = listenerTls();
const trusting = new Agent({ connect: { ca: tls.chainText } });
const before = getGlobalDispatcher();
beforeAll(() => setGlobalDispatcher(trusting));
afterAll(async () => {
  setGlobalDispatcher(before);
  await trusting.destroy();
  removeFiles(tls);
});

const over = (transport: HttpTransport): HttpTransport => {
  certificateOf.set(transport, tls.chainText);
  return transport;
};
const found = findUws();
describe('node:https', () => httpServerContract(over(nodeTransportOver(tls))));
if (found.ok)
  describe(`${found.uws.binding} with TLS`, () => httpServerContract(over(uwsTransport(found.uws, tls))));
