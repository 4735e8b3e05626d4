import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PinnedHttps, pinnedHttps } from '#payment/psp/pinned-https.js';
import { providerDefaults } from '#payment/settings/delivery-settings.js';
import { makeCertificate } from '#payment-simulator/certificate.js';

let server: Server;
let https: PinnedHttps;
/** How the server treats its first, second and later requests. */
let hangsUpFrom = Number.POSITIVE_INFINITY;
let arrived = 0;

beforeAll(async () => {
  const { key, certificate, pin } = makeCertificate('a provider', Date.now());
  server = createServer({ key, cert: certificate }, (request, response) => {
    arrived += 1;
    if (arrived >= hangsUpFrom) request.socket.destroy();
    else response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  https = pinnedHttps({
    baseUrl: `https://localhost:${(server.address() as AddressInfo).port}`,
    apiKey: 'k',
    pins: [pin],
    authorities: certificate,
    timeoutMs: 30_000,
  });
});
afterAll(() => {
  https.close();
  server.close();
});

it('F24: a request that waited for a connection and got no response counts as sent', async () => {
  hangsUpFrom = providerDefaults.connectionsMax + 1;
  const calls = Array.from({ length: 2 * providerDefaults.connectionsMax }, () =>
    https.call('POST', '/', {}),
  );
  const kinds = (await Promise.all(calls)).map(({ kind }) => kind);
  expect(kinds.filter((kind) => kind === 'reply')).toHaveLength(providerDefaults.connectionsMax);
  expect(kinds.filter((kind) => kind === 'lost')).toHaveLength(providerDefaults.connectionsMax);
});
