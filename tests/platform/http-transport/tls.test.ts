import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect, type SecureVersion } from 'node:tls';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Route, route } from '#platform/http/http-types.js';
import type { SocketRoute } from '#platform/http/server/socket-types.js';
import { findUws } from '#platform/http-transport/load-uws.js';
import { openHttpTransport } from '#platform/http-transport/open-http-transport.js';
import { proves } from '#tools/acceptance/proves.js';
import { listenerTls, removeFiles } from '../http/listener-certificate.js';
import { certificateOf, plainTokens, type StartedServer, startServer } from '../http/start-server.js';

const tls = listenerTls();
afterAll(() => removeFiles(tls));
const certificate = tls.chainText;

const common = { listener: 'both', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
const big = Buffer.alloc(4_000_000, 'x');
const routes: Route[] = [
  route({ ...common, operationId: 'base', method: 'GET', path: '/base' }, (asked) => ({
    status: 200,
    body: { base: asked.baseUrl(), client: asked.clientAddress },
  })),
  route({ ...common, operationId: 'big', method: 'GET', path: '/big' }, () => ({ status: 200, body: big })),
  route(
    {
      ...{ ...common, operationId: 'count', method: 'POST', path: '/count' },
      body: { maxBytes: big.length, contentTypes: ['application/octet-stream'] },
    },
    ({ body }) => ({ status: 200, body: { length: (body as Uint8Array).length } }),
  ),
];
const echo: SocketRoute<{ n: number }> = {
  path: '/stream',
  subprotocols: [],
  scopes: ['driver'],
  frame: Type.Object({ n: Type.Integer() }),
  onOpen: (socket) => void socket.send({ type: 'ready' }),
  onFrame: (socket, { n }) => void socket.send({ n: n + 1 }),
  onClose: () => undefined,
} as SocketRoute<{ n: number }>;

const kinds = ['node', ...(findUws().ok ? (['uws'] as const) : [])] as const;
describe.each(kinds)('%s with a certificate and an encrypted key', (kind) => {
  let started: StartedServer;
  const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: certificate });
  beforeAll(async () => {
    const { transport } = openHttpTransport(kind, false, tls);
    certificateOf.set(transport, certificate);
    started = await startServer(transport, {
      routes,
      sockets: [echo],
      authenticator: plainTokens,
    });
  });
  afterAll(() => {
    agent.destroy();
    started.server.close();
  });

  async function ask(method: string, path: string, body?: Buffer) {
    const incoming = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/octet-stream' };
      const at = { host: 'localhost', port: started.port, method, path, agent, headers };
      request(at, resolve).on('error', reject).end(body);
    });
    const { statusCode, headers, socket } = incoming;
    return { status: statusCode, headers, port: socket.localPort, text: await text(incoming) };
  }

  /** The version that was agreed upon, or the code of the refusal. */
  const versionOf = (version: SecureVersion): Promise<string | null> =>
    new Promise((resolve) => {
      const socket = connect({
        ...{ port: started.port, host: '127.0.0.1', ca: certificate, ciphers: 'DEFAULT@SECLEVEL=0' },
        ...{ minVersion: version, maxVersion: version },
      });
      socket.on('secureConnect', () => {
        resolve(socket.getProtocol());
        socket.destroy();
      });
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    });

  proves('P-111', {
    asked: 'all calls over TLS; TLS 1.2 or newer',
    shown: 'a listener with a certificate, on both HTTP servers: TLS 1.3 and 1.2; 1.1 and 1.0 are refused',
    control: {
      in: 'platform/http-transport/open-http-transport.ts',
      change: 'transport: nodeTransportOver(tls), reason',
      to: 'transport: nodeTransportOver(undefined), reason',
    },
  });
  test('P-111: TLS 1.2 and 1.3, nothing older', async () => {
    expect(await versionOf('TLSv1.3')).toBe('TLSv1.3');
    expect(await versionOf('TLSv1.2')).toBe('TLSv1.2');
    for (const old of ['TLSv1.1', 'TLSv1'] as const)
      expect(await versionOf(old)).toMatch(/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL|ECONNRESET/);
  });

  test('P-111: plain HTTP is cut off without a byte of an answer', async () => {
    const socket = connectPlain(started.port, '127.0.0.1');
    const got: Buffer[] = [];
    socket.on('data', (data) => got.push(data));
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write('GET /base HTTP/1.1\r\nHost: x\r\n\r\n');
    await closed;
    expect(Buffer.concat(got).toString('latin1')).not.toMatch(/HTTP|base/);
  });

  test('requests share a connection; HEAD, large answers and large bodies', async () => {
    const first = await ask('GET', '/base');
    expect(JSON.parse(first.text)).toEqual({
      base: `https://localhost:${started.port}`,
      client: expect.stringContaining('127.0.0.1'),
    });
    const head = await ask('HEAD', '/base');
    expect([head.status, head.text, head.port]).toEqual([200, '', first.port]);
    const large = await ask('GET', '/big');
    expect([large.text.length, large.port]).toEqual([big.length, first.port]);
    const counted = await ask('POST', '/count', big);
    expect([JSON.parse(counted.text), counted.port]).toEqual([{ length: big.length }, first.port]);
  });

  test('WebSockets are wss', async () => {
    const headers = { authorization: 'Bearer ann.driver' };
    const socket = new WebSocket(`wss://localhost:${started.port}/stream`, { ca: certificate, headers });
    const frames: unknown[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    await expect.poll(() => frames).toEqual([{ type: 'ready' }]);
    socket.send('{"n":1}');
    await expect.poll(() => frames).toEqual([{ type: 'ready' }, { n: 2 }]);
    socket.terminate();
  });
});
