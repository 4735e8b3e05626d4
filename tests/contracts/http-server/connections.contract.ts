import type { Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { type Route, route } from '#platform/http/http-types.js';
import { problem, problems } from '#platform/http/problem.js';
import type { SocketRoute } from '#platform/http/server/socket-types.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { certificateOfPort, connectTo, converse, statuses } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';
import { until } from '../until.js';

/** Events on a connection around its requests. */
export function connectionsContract(transport: HttpTransport): void {
  const common = { listener: 'public', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  const seen: string[] = [];
  const body = { maxBytes: 600_000, contentTypes: ['text/plain'] } as const;
  const later = () => new Promise((wake) => setTimeout(wake, 50));
  const routes: Route[] = [
    route({ ...common, operationId: 'small', method: 'GET', path: '/small' }, () => {
      seen.push('small');
      return { status: 200, body: 'small' };
    }),
    route({ ...common, operationId: 'late', method: 'GET', path: '/late' }, async () => {
      await later();
      return { status: 200, body: 'late' };
    }),
    route({ ...common, operationId: 'refused-late', method: 'GET', path: '/refused-late' }, async () => {
      await later();
      return problem(problems.malformed, 'Found out late.');
    }),
    route({ ...common, operationId: 'big', method: 'GET', path: '/big' }, () => ({
      status: 200,
      body: Buffer.alloc(64_000_000),
    })),
    route({ ...common, operationId: 'post', method: 'POST', path: '/post', body }, (request) => ({
      status: 200,
      body: `took ${request.body.length}`,
    })),
  ];
  const quiet: SocketRoute = {
    path: '/quiet',
    subprotocols: [],
    scopes: ['driver'],
    frame: Type.Object({}),
    limits: { idleS: 8 },
    onOpen: (socket) => void socket.send({ type: 'ready' }),
    onFrame: () => undefined,
    onClose: () => undefined,
  };

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, { routes, sockets: [quiet], authenticator: plainTokens });
  });
  afterAll(() => started.server.close());

  const get = (path: string, fields = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${fields}\r\n`;
  const closeOf = (socket: Socket) =>
    new Promise<number>((resolve) => {
      const startedAt = performance.now();
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(performance.now() - startedAt));
    });

  test('does not serve bytes after a refusal in the same packet, even if the refusal is late', async () => {
    seen.length = 0;
    const { answer, closed } = await converse(started.port, get('/refused-late') + get('/small'));
    expect(statuses(answer).filter((status) => status !== 400)).toEqual([]);
    expect([closed, seen]).toEqual([true, []]);
  });

  test('one connection serves consecutive requests', async () => {
    const { answer, closed } = await converse(started.port, [get('/small'), get('/small'), get('/small')], {
      isDone: (all) => statuses(all).length === 3 && all.endsWith('small'),
    });
    expect([statuses(answer), closed]).toEqual([[200, 200, 200], false]);
  });

  test('ignores an offer of another protocol', async () => {
    const fields = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n';
    const { answer } = await converse(started.port, get('/late', fields), {
      isDone: (all) => all.endsWith('late'),
    });
    expect(statuses(answer)).toEqual([200]);
  });

  test('the path of a WebSocket is not a page', async () => {
    const { answer } = await converse(started.port, get('/quiet'), { isDone: (all) => all.includes('}') });
    expect(statuses(answer)).toEqual([404]);
  });

  test('a client that waits for 100-continue gets its response', async () => {
    const head = 'POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n';
    const { answer } = await converse(started.port, [`${head}Expect: 100-continue\r\n\r\n`, 'abc'], {
      isDone: (all) => all.includes('took'),
    });
    expect(statuses(answer).filter((status) => status !== 100)).toEqual([200]);
    expect(answer).toContain('took 3');
  });

  // These three wait most of the time.
  test.concurrent('F35: serves a slow but steady sender of a long body', async () => {
    const length = 600_000;
    const socket = connectTo(started.port);
    let answer = '';
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    const closed = closeOf(socket);
    socket.write(
      `POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n`,
    );
    for (let sent = 0; sent < length; sent += 50_000) {
      await new Promise((wake) => setTimeout(wake, 1_000));
      socket.write('a'.repeat(50_000));
    }
    await until('an answer', () => answer.includes(`took ${length}`));
    socket.destroy();
    await closed;
  });

  test.concurrent('F35: disconnects a reader that stops during a response', async () => {
    const { server, port } = await startServer(transport, { routes });
    const socket = connectTo(port);
    socket.write(get('/big'));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.pause();
    const withinMs = (transport.idleS + 5) * 1_000;
    await until('the end of the request', () => server.active === 0, withinMs);
    socket.destroy();
    server.close();
  });

  test.concurrent('disconnects a WebSocket client that answers no ping, keeps one that does', async () => {
    const answering = new WebSocket(`${started.base.replace('http', 'ws')}/quiet`, {
      ca: certificateOfPort.get(started.port),
      headers: { authorization: 'Bearer ann.driver' },
    });
    await new Promise((resolve) => answering.once('message', resolve));
    const silent = connectTo(started.port);
    const gone = closeOf(silent);
    silent.on('data', () => undefined);
    silent.write(
      get(
        '/quiet',
        'Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n' +
          'Sec-WebSocket-Version: 13\r\nAuthorization: Bearer bob.driver\r\n',
      ),
    );
    expect(await gone).toBeGreaterThan(3_000);
    await new Promise((wake) => setTimeout(wake, 3_000));
    expect(answering.readyState).toBe(WebSocket.OPEN);
    answering.terminate();
  });
}
