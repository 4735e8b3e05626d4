import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Route, route } from '#platform/http/http-types.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { connectTo } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';

const maxBytes = 64 * 1024 * 1024;

export function streamedBodiesContract(transport: HttpTransport): void {
  let release = () => {};
  const failures: string[] = [];
  const common = {
    listener: 'public',
    tag: 't',
    summary: '',
    responses: {},
    scopes: ['driver'],
    body: { maxBytes, contentTypes: ['application/octet-stream'], streamed: true },
  } as const;
  const routes: Route[] = [
    route({ ...common, operationId: 'sum', method: 'POST', path: '/sum' }, async ({ body }) => {
      let length = 0;
      try {
        for await (const piece of body) length += piece.length;
      } catch (error) {
        failures.push((error as Error).name);
        throw error;
      }
      return { status: 200, body: { length } };
    }),
    route({ ...common, operationId: 'held', method: 'POST', path: '/held' }, async ({ body }) => {
      await new Promise<void>((go) => {
        release = go;
      });
      let length = 0;
      for await (const piece of body) length += piece.length;
      return { status: 200, body: { length } };
    }),
    route({ ...common, operationId: 'refused', method: 'POST', path: '/refused' }, async ({ body }) => {
      for await (const _ of body) break;
      await body.discard();
      return { status: 409, body: { code: 'no' } };
    }),
  ];
  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, { routes, authenticator: plainTokens });
  });
  afterAll(() => started.server.close());

  const piece = Buffer.alloc(256 * 1024, 1);
  const send = (path: string, pieces: number, token = 'ann.driver', more: Record<string, string> = {}) =>
    fetch(started.base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/octet-stream',
        authorization: `Bearer ${token}`,
        ...more,
      },
      body: new ReadableStream({
        start(controller) {
          for (let at = 0; at < pieces; at += 1) controller.enqueue(piece);
          controller.close();
        },
      }),
      duplex: 'half',
    } as RequestInit);

  test.each(['ann', 'late'])('a body of 16 MiB arrives completely (%s)', async (user) => {
    const response = await send('/sum', 64, `${user}.driver`);
    expect([response.status, await response.json()]).toEqual([200, { length: 64 * piece.length }]);
  });

  test('without a body the handler reads nothing', async () => {
    const response = await fetch(`${started.base}/sum`, {
      method: 'POST',
      headers: { authorization: 'Bearer ann.driver', 'content-type': 'application/octet-stream' },
    });
    expect(await response.json()).toEqual({ length: 0 });
  });

  test('a client is not read faster than the handler reads', async () => {
    const socket = connectTo(started.port);
    const total = 40 * 1024 * 1024;
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    socket.write(
      `POST /held HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann.driver\r\n` +
        `Content-Type: application/octet-stream\r\nContent-Length: ${total}\r\n\r\n`,
    );
    for (let sent = 0; sent < total; sent += piece.length) socket.write(piece);
    await new Promise((wake) => setTimeout(wake, 500));
    // The rest waits at the client: what the server and the two kernels hold is far less.
    expect(socket.writableLength).toBeGreaterThan(total / 2);
    release();
    await expect.poll(() => answer, { timeout: 10_000 }).toContain(`{"length":${total}}`);
    socket.destroy();
  });

  test('a body above the limit is 413, whether its length is stated or not', async () => {
    const stated = await fetch(`${started.base}/sum`, {
      method: 'POST',
      headers: { authorization: 'Bearer ann.driver', 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(maxBytes + 1),
    }).then(
      ({ status }) => status,
      () => 'cut',
    );
    // The client may be cut while it still sends.
    expect([413, 'cut']).toContain(stated);
    const before = failures.length;
    await send('/sum', maxBytes / piece.length + 1).then(
      ({ status }) => expect(status).toBe(413),
      () => undefined,
    );
    await expect.poll(() => failures.slice(before)).toEqual(['BodyTooLarge']);
  });

  test('a client that disconnects within its body ends the reading', async () => {
    const before = failures.length;
    const socket = connectTo(started.port);
    socket.write(
      'POST /sum HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ann.driver\r\n' +
        'Content-Type: application/octet-stream\r\nContent-Length: 1000\r\n\r\nabc',
    );
    await new Promise((wake) => setTimeout(wake, 100));
    socket.destroy();
    await expect.poll(() => failures.slice(before)).toEqual(['BodyIncomplete']);
  });

  test('a refusal reaches a client that is still sending', async () => {
    const response = await send('/refused', 64);
    expect([response.status, await response.json()]).toEqual([409, { code: 'no' }]);
  });

  test('a compressed body is refused, and so is one without permission', async () => {
    expect((await send('/sum', 1, 'ann.driver', { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await send('/sum', 1, 'ann.customer')).status).toBe(403);
  });
}
