import { connect, type Socket } from 'node:net';
import { Type } from 'typebox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { route } from '#platform/http/http-types.js';
import { parseJson } from '#platform/http/server/parse-json.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { httpTransport } from '../../http-transport.js';
import { type StartedServer, startServer } from './start-server.js';

const seed = 20_260_401;
const next = seeded(seed);
const below = (limit: number) => Math.floor(next() * limit);
const interesting = [
  '\0',
  '"',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\\',
  '\r\n',
  '\xff',
  '\xc3',
  '-',
  '1e999',
  'null',
  '%',
  '&',
  '=',
  '\\u0000',
  '__proto__',
  ' '.repeat(40),
];

/** A few cuts, copies, swaps and insertions in bytes that were valid. */
function mutate(valid: string): string {
  let text = valid;
  for (let steps = 1 + below(4); steps > 0; steps -= 1) {
    const at = below(text.length + 1);
    switch (below(4)) {
      case 0:
        text = text.slice(0, at) + text.slice(at + 1 + below(8));
        break;
      case 1:
        text = text.slice(0, at) + (interesting[below(interesting.length)] ?? '') + text.slice(at);
        break;
      case 2:
        text = text.slice(0, at) + text.slice(below(at + 1), at) + text.slice(at);
        break;
      default:
        text = text.slice(0, at) + String.fromCharCode(below(256)) + text.slice(at + 1);
    }
  }
  return text;
}

const Body = Type.Object(
  {
    name: Type.String({ maxLength: 20 }),
    at: Type.Object({ lat: Type.Number({ minimum: -90, maximum: 90 }) }, { additionalProperties: false }),
    list: Type.Array(Type.Integer(), { maxItems: 5 }),
  },
  { additionalProperties: false },
);
const validBody = '{"name":"Örgryte","at":{"lat":57.7},"list":[1,2,3]}';
const validQuery = 'n=5&text=a%20b&on=true';

const errors: string[] = [];
const logger: Logger = {
  ...silentLogger,
  error: (message, fields) => void errors.push(`${message} ${String(fields?.['error'])}`),
};
let started: StartedServer;
beforeAll(async () => {
  const common = { listener: 'public', tag: 't', summary: '', scopes: 'open', responses: {} } as const;
  started = await startServer(httpTransport, {
    logger,
    limits: { turnBudgetMs: 10_000, inflightMax: 100_000 },
    routes: [
      route(
        {
          ...common,
          operationId: 'post',
          method: 'POST',
          path: '/post',
          query: Type.Object({
            n: Type.Optional(Type.Integer()),
            text: Type.Optional(Type.String()),
            on: Type.Optional(Type.Boolean()),
          }),
          body: { maxBytes: 1_000, contentTypes: ['application/json'], schema: Body },
        },
        ({ body }) => ({ status: 200, body: { lat: body.at.lat, count: body.list.length } }),
      ),
    ],
  });
});
afterAll(() => started.server.close());

/**
 * One connection that is opened again whenever the server closes it; responses are read completely, in order.
 */
class RawClient {
  #socket: Socket | undefined;
  #text = '';
  #wake: () => void = () => undefined;
  #closed = true;

  async ask(request: Buffer): Promise<string> {
    if (this.#closed) this.#open();
    this.#text = '';
    this.#socket?.write(request);
    // Every request is complete, so a missing response is a fault; a slow machine is not.
    const deadline = setTimeout(() => this.#socket?.destroy(), 30_000);
    while (!this.#whole() && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    clearTimeout(deadline);
    if (!this.#closed && /connection: close/i.test(this.#text)) this.end();
    return this.#text;
  }

  end(): void {
    this.#socket?.destroy();
    this.#closed = true;
  }

  #open(): void {
    const socket = connect(started.port, '127.0.0.1');
    this.#socket = socket;
    this.#closed = false;
    const current = () => this.#socket === socket;
    socket.on('data', (data) => {
      this.#text += data.toString('latin1');
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (current()) this.#closed = true;
      this.#wake();
    });
  }

  #whole(): boolean {
    const end = this.#text.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const length = /content-length: (\d+)/i.exec(this.#text)?.[1];
    return length !== undefined && this.#text.length >= end + 4 + Number(length);
  }
}

const leaks = /node_modules|\.ts:|\.js:|\bat [A-Z#]\w+|SyntaxError|TypeError|RangeError/;

test('F37: 8,000 mutated JSON bodies and queries get 200 or one 4xx each, and no stack', async () => {
  const tally = new Map<string, number>();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      const client = new RawClient();
      for (let round = 0; round < 1_000; round += 1) {
        const body = Buffer.from(
          round % 3 === 0 ? validBody : mutate(validBody),
          round % 2 === 0 ? 'utf8' : 'latin1',
        );
        const query = encodeTarget(round % 3 === 0 ? mutate(validQuery) : validQuery);
        const head = `POST /post?${query} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
        const answer = await client.ask(Buffer.concat([Buffer.from(head), body]));
        const status = answer.slice(9, 12);
        tally.set(status, (tally.get(status) ?? 0) + 1);
        expect(status, `seed ${seed}: ${head}${body.toString('latin1')}`).toMatch(/^(?:200|4\d\d)$/);
        expect(answer).not.toMatch(leaks);
      }
      client.end();
    }),
  );
  expect(errors).toEqual([]);
  expect(tally.get('200')).toBeGreaterThan(100);
  expect(tally.get('400')).toBeGreaterThan(2_000);
});

/** Keeps what HTTP allows in a target; the framing test covers the rest. */
function encodeTarget(text: string): string {
  return text.replaceAll(
    /[^!-~]|#/g,
    (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

test('F37: 1,500 mutated complete requests crash nothing and never cause a 5xx', async () => {
  const valid = `POST /post?${validQuery} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(validBody)}\r\nConnection: close\r\n\r\n${validBody}`;
  await Promise.all(
    Array.from({ length: 30 }, async () => {
      for (let round = 0; round < 50; round += 1) {
        const request = Buffer.from(mutate(valid), 'latin1');
        const answer = await new Promise<string>((resolve) => {
          const socket = connect(started.port, '127.0.0.1');
          let text = '';
          const timer = setTimeout(() => socket.destroy(), 60);
          socket.on('data', (data) => {
            text += data.toString('latin1');
          });
          socket.on('error', () => undefined);
          socket.on('close', () => {
            clearTimeout(timer);
            resolve(text);
          });
          socket.write(request);
        });
        // 505 is the native parser's answer to a line that is not an HTTP/1.1 request.
        for (const [, status] of answer.matchAll(/HTTP\/1\.1 (5\d\d)/g)) expect(status).toBe('505');
        expect(answer).not.toMatch(leaks);
      }
    }),
  );
  expect(errors).toEqual([]);
  const client = new RawClient();
  const good = `POST /post HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(validBody)}\r\n\r\n${validBody}`;
  expect(await client.ask(Buffer.from(good))).toContain('{"lat":57.7,"count":3}');
  client.end();
});

test('N2, N5: 20,000 mutated texts either parse as JSON.parse reads them or are rejected', () => {
  let parsed = 0;
  for (let round = 0; round < 20_000; round += 1) {
    const text = mutate(validBody);
    const outcome = parseJson(Buffer.from(text));
    if (!outcome.ok) continue;
    parsed += 1;
    expect(outcome.value).toEqual(JSON.parse(text));
  }
  expect(parsed).toBeGreaterThan(1_000);
});
