import { Type } from 'typebox';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import WebSocket from 'ws';
import type { Socket, SocketRoute } from '#platform/http/server/socket-types.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { proves } from '#tools/acceptance/proves.js';
import { certificateOfPort, connectTo } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';
import { until as untilSaid } from '../until.js';

export function socketsContract(transport: HttpTransport): void {
  const Frame = Type.Object(
    { type: Type.Literal('echo'), n: Type.Integer() },
    { additionalProperties: false },
  );
  const opened: Socket[] = [];
  const closed: number[] = [];

  const echo: SocketRoute<{ n: number }> = {
    path: '/stream',
    subprotocols: ['echo.v2', 'echo.v1'],
    scopes: ['driver'],
    frame: Frame,
    limits: {
      perIdentityMax: 3,
      messagesPerS: 20,
      messageBurst: 30,
      payloadBytesMax: 1_024,
      backpressureBytesMax: 64 * 1024,
    },
    onOpen: (socket) => {
      opened.push(socket);
      socket.send({ type: 'ready', user: socket.identity.userId });
    },
    onFrame: (socket, { n }) => {
      if (n === 13) throw new Error('unlucky');
      socket.send({ type: 'echo', n });
    },
    onClose: (_, code) => void closed.push(code),
  };

  /** Affects only silent clients: elsewhere a pause of the machine would look like silence. */
  const impatient = { ...echo, path: '/impatient', limits: { ...echo.limits, helloMs: 300 } };

  let started: StartedServer;
  beforeAll(async () => {
    started = await startServer(transport, {
      sockets: [echo, impatient],
      authenticator: plainTokens,
      trustedOrigins: ['https://app.example'],
    });
  });
  afterAll(() => started.server.close());
  /** Sockets that a test left open must not close in the next test, or count there. */
  afterEach(async () => {
    for (const { socket } of clients.splice(0)) socket.terminate();
    await until(() => closed.length === opened.length);
    opened.length = 0;
    closed.length = 0;
  });

  interface Client {
    readonly socket: WebSocket;
    readonly frames: unknown[];
    readonly ended: Promise<{ code: number; reason: string }>;
  }

  const clients: Client[] = [];

  function client(options: WebSocket.ClientOptions = {}, protocols: string[] = [], path = '/stream'): Client {
    const ca = certificateOfPort.get(started.port);
    const socket = new WebSocket(`${started.base.replace('http', 'ws')}${path}`, protocols, {
      ca,
      ...options,
    });
    const frames: unknown[] = [];
    socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
    socket.on('error', () => undefined);
    const ended = new Promise<{ code: number; reason: string }>((resolve) => {
      socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
      socket.on('unexpected-response', (_, response) =>
        resolve({ code: response.statusCode ?? 0, reason: '' }),
      );
    });
    const one = { socket, frames, ended };
    clients.push(one);
    return one;
  }

  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  const until = (holds: () => boolean) => untilSaid('the condition', holds);

  async function say(to: Client, ...frames: unknown[]): Promise<void> {
    await until(() => to.socket.readyState !== WebSocket.CONNECTING);
    for (const frame of frames) to.socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  }

  describe('S6: opening a socket', () => {
    test('the Authorization header of the upgrade suffices', async () => {
      const one = client(bearer('ann.driver'));
      await until(() => one.frames.length === 1);
      expect(one.frames).toEqual([{ type: 'ready', user: 'ann' }]);
      one.socket.terminate();
      await until(() => closed.length === 1);
    });

    test('a first hello frame suffices, and frames directly after it wait for a slow issuer', async () => {
      const one = client();
      await say(one, { type: 'hello', token: 'late-bob.driver' }, { type: 'echo', n: 7 });
      await until(() => one.frames.length === 2);
      expect(one.frames).toEqual([
        { type: 'ready', user: 'late-bob' },
        { type: 'echo', n: 7 },
      ]);
      one.socket.terminate();
    });

    test.each([
      ['a wrong token', { type: 'hello', token: 'nonsense' }],
      ['a token without the scope', { type: 'hello', token: 'eve.staff' }],
      ['a frame before hello', { type: 'echo', n: 1 }],
    ])('%s closes with 4401', async (_, frame) => {
      const one = client();
      await say(one, frame);
      expect((await one.ended).code).toBe(4401);
      expect(opened).toEqual([]);
    });

    test('no hello closes with 4401', async () => {
      expect((await client({}, [], impatient.path).ended).code).toBe(4401);
    });

    test('at the upgrade a wrong token is 401, a missing scope 403; one in the URL is ignored', async () => {
      expect((await client(bearer('nonsense')).ended).code).toBe(401);
      expect((await client(bearer('eve.staff')).ended).code).toBe(403);
      expect((await client({}, [], `${impatient.path}?token=ann.driver`).ended).code).toBe(4401);
      expect(opened).toEqual([]);
    });

    test('a token that expires closes the open socket with 4401', async () => {
      const one = client(bearer('ann.driver.300'));
      await until(() => one.frames.length === 1);
      expect((await one.ended).code).toBe(4401);
    });

    test('a second hello extends the socket of the same user and closes that of another', async () => {
      const one = client(bearer('ann.driver.2000'));
      await until(() => one.frames.length === 1);
      await say(one, { type: 'hello', token: 'ann.driver' });
      const startedAt = performance.now();
      await until(() => performance.now() - startedAt > 2_600);
      expect(one.socket.readyState).toBe(WebSocket.OPEN);
      await say(one, { type: 'hello', token: 'bob.driver' });
      expect((await one.ended).code).toBe(4401);
    });

    test.each(['https://evil.example', 'null', 'https://app.example.evil.example', 'http://app.example'])(
      'rejects the origin %s',
      async (origin) => expect((await client({ ...bearer('ann.driver'), origin }).ended).code).toBe(403),
    );

    test('accepts the trusted origin and its own origin', async () => {
      for (const origin of ['https://app.example', started.base]) {
        const one = client({ ...bearer('ann.driver'), origin });
        await until(() => one.frames.length === 1);
        one.socket.terminate();
        await one.ended;
      }
      await until(() => closed.length === 2);
    });

    test('the subprotocol is the first offered one that we know; unknown ones are rejected', async () => {
      const one = client(bearer('ann.driver'), ['x', 'echo.v1', 'echo.v2']);
      await until(() => one.frames.length === 1);
      expect(one.socket.protocol).toBe('echo.v2');
      one.socket.terminate();
      expect((await client(bearer('ann.driver'), ['x']).ended).code).toBe(400);
      await until(() => closed.length === 1);
    });
  });

  proves('F34', {
    asked: '10,000 messages a second, 5,000 bytes, 2^63, bad UTF-8, RSV, opcode 3: closed; others unchanged',
    shown:
      'each kind, on each transport: closed, another client is answered; p99 in tests/faults/hostile-frames',
    control: {
      in: 'platform/http/server/socket-hub.ts',
      change: "socket.close(socketCloseCodes.tooManyMessages, 'too many messages');",
      to: ';',
    },
    from: 'outside',
  });
  describe('F34: limits on received frames', () => {
    test('a bad frame is answered with an error, and ten close the socket', async () => {
      const one = client(bearer('ann.driver'));
      await say(one, '{', '{"type":"echo"}', '{"type":"echo","n":1,"__proto__":{}}');
      await until(() => one.frames.length === 4);
      expect(one.frames.slice(1)).toMatchObject(Array(3).fill({ type: 'error', code: 'bad-frame' }));
      await say(one, ...Array.from({ length: 8 }, () => '['));
      expect((await one.ended).code).toBe(4400);
    });

    test('a flood closes with 4429, and others are served meanwhile', async () => {
      const other = client(bearer('bob.driver'));
      const flooder = client(bearer('ann.driver'));
      await until(() => flooder.frames.length === 1 && other.frames.length === 1);
      await say(flooder, ...Array.from({ length: 10_000 }, (_, n) => ({ type: 'echo', n: n + 100 })));
      await say(other, { type: 'echo', n: 5 });
      expect((await flooder.ended).code).toBe(4429);
      await until(() => other.frames.length === 2);
      other.socket.terminate();
    });

    test('accepts a frame of exactly the limit, and disconnects after one byte more', async () => {
      const padded = (length: number) => {
        const frame = '{"type":"echo","n":1}';
        return frame + ' '.repeat(length - frame.length);
      };
      const one = client(bearer('ann.driver'));
      await say(one, padded(1_024));
      await until(() => one.frames.length === 2);
      await say(one, padded(1_025));
      expect([1006, 1009]).toContain((await one.ended).code);
    });

    test.each([
      ['a length of 2^63', '81ff7fffffffffffffff00000000'],
      ['bad UTF-8', '8182000000' + '00c328'],
      ['a reserved bit', 'c18100000000' + '61'],
      ['an unknown opcode', '838100000000' + '61'],
      ['a binary frame', '8281000000' + '0061'],
      ['a fragmented control frame', '098100000000' + '61'],
      ['a continuation of nothing', '808100000000' + '61'],
      ['a message within a fragmented one', '018100000000' + '61' + '818100000000' + '61'],
    ])('%s ends the connection or is rejected, and the server continues', async (_, bytes) => {
      const raw = connectTo(started.port);
      raw.write(
        `GET /stream HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nAuthorization: Bearer ann.driver\r\n\r\n`,
      );
      let seen = '';
      let over = false;
      raw.on('data', (data) => {
        seen += data.toString('latin1');
      });
      raw.on('close', () => {
        over = true;
      });
      raw.on('error', () => undefined);
      await until(() => seen.includes('ready'));
      raw.write(Buffer.from(bytes, 'hex'));
      await until(() => over || seen.includes('bad-frame'));
      raw.destroy();
      await until(() => closed.length === 1);
    });

    test('an exception in a handler closes that socket with 1011', async () => {
      const one = client(bearer('ann.driver'));
      await say(one, { type: 'echo', n: 13 });
      expect((await one.ended).code).toBe(1011);
    });

    test('the fourth socket of one user closes with 4429', async () => {
      const three = [
        client(bearer('ann.driver')),
        client(bearer('ann.driver')),
        client(bearer('ann.driver')),
      ];
      await until(() => three.every(({ frames }) => frames.length === 1));
      expect((await client(bearer('ann.driver')).ended).code).toBe(4429);
      for (const { socket } of three) socket.terminate();
      await until(() => closed.length === 4);
    });
  });

  proves('F33', {
    asked: 'a slow reader is closed at the limit; memory bounded; it resumes by version',
    shown: 'each transport closes a reader that stops at the limit; memory in tests/faults/slow-readers',
    control: {
      in: 'platform/http/server/client-socket.ts',
      change: "    if (result === 'dropped' || this.bufferedBytes > this.#limits.backpressureBytesMax) {",
      to: '    if (this.bufferedBytes > 1e12 + this.#limits.backpressureBytesMax) {',
    },
    from: 'outside',
  });
  describe('F33: a slow reader', () => {
    test('is disconnected at the limit, and memory does not grow with its unread frames', async () => {
      const one = client(bearer('ann.driver'));
      await until(() => opened.length === 1 && one.frames.length === 1);
      one.socket.pause();
      const [socket] = opened;
      const frame = { type: 'route', filler: 'x'.repeat(10_000) };
      const results = new Set<string>();
      for (let sent = 0; sent < 5_000 && !results.has('closed'); sent += 1) {
        results.add(socket?.send(frame) ?? '');
        if (sent % 50 === 0) await new Promise((wake) => setImmediate(wake));
      }
      // With TLS, Node encrypts each frame a turn later.
      const isLater = transport.name === 'node:http' && certificateOfPort.has(started.port);
      expect([...results].toSorted()).toEqual(['closed', 'queued', ...(isLater ? [] : ['sent'])]);
      expect(socket?.open).toBe(false);
      expect(socket?.send(frame)).toBe('closed');
      await until(() => closed.length === 1);
      one.socket.terminate();
    });
  });

  test('F3: a drain closes sockets with 1012 and refuses new ones', async () => {
    const own = await startServer(transport, { sockets: [echo], authenticator: plainTokens });
    const socket = new WebSocket(`${own.base.replace('http', 'ws')}/stream`, {
      ...bearer('ann.driver'),
      ca: certificateOfPort.get(own.port),
    });
    const code = new Promise((resolve) => socket.on('close', resolve));
    await until(() => opened.length === 1);
    await own.server.drain(2_000);
    expect(await code).toBe(1012);
    expect(closed).toEqual([1012]);
  });
}
