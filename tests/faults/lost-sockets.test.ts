import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { navStreamPath, navStreamSubprotocol } from '#schemas/nav-stream.js';
import { proves } from '#tools/acceptance/proves.js';
import { reconnectDelayMs } from '#web/navigation/reconnect.js';
import { eventually } from '../eventually.js';
import { freePort, type RunningProgram, startProgram } from '../main-job/running-platform.js';
import { driversOf, unlimited } from '../programs/drivers-of.js';

const sockets = Number(process.env['SOCKETS'] ?? 500);
const windowMs = 100;

/** A page that reconnects as the page of this project does. */
class Page {
  readonly #url: string;
  readonly #token: string;
  readonly #attempts: number[];
  #attempt = 0;
  #socket: WebSocket | undefined;
  #isClosed = false;
  /** The server has accepted the token on this connection. */
  isReady = false;

  constructor(url: string, token: string, attempts: number[]) {
    this.#url = url.replace(/^http/, 'ws') + navStreamPath;
    this.#token = token;
    this.#attempts = attempts;
    this.#connect();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(this.#url, [navStreamSubprotocol]);
    this.#socket = socket;
    socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token: this.#token })));
    socket.on('message', (data) => {
      if ((JSON.parse(String(data)) as { type: string }).type !== 'ready') return;
      this.isReady = true;
      this.#attempt = 0;
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.isReady = false;
      const delayMs = reconnectDelayMs(this.#attempt++, Math.random);
      // As it is meant: on a busy machine this process starts many at once that were not.
      this.#attempts.push(performance.now() + delayMs);
      setTimeout(() => this.#connect(), delayMs);
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#socket?.terminate();
  }
}

/** Of all windows of this length the most attempts. */
function peak(attempts: readonly number[]): number {
  let [most, from] = [0, 0];
  for (let to = 0; to < attempts.length; to += 1) {
    while (attempts[to]! - attempts[from]! >= windowMs) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

describe('the server of many sockets is killed', () => {
  let data: string;
  let ports: readonly [number, number];
  let api: RunningProgram;
  const pages: Page[] = [];
  const start = () => startProgram('api', { data, ports, env: unlimited });
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-sockets-'));
    ports = [await freePort(), await freePort()];
    api = await start();
  });
  afterAll(async () => {
    for (const page of pages) page.close();
    await api?.stop();
    await rm(data, { recursive: true, force: true });
  });

  proves('F32', {
    asked:
      '5,000 sockets, the server killed: all back within 3 s, at most 357 attempts in 100 ms, 2,781 without',
    shown: '500 pages: all back, and in no 100 ms more than half of them try; without jitter all of them do',
    scaled: '500 : 5,000',
    missing: '3 s: a page waits for up to 15 s while the server is away for longer',
    settings: ['no rate limits'],
    control: {
      in: 'web/navigation/reconnect.ts',
      change: 'Math.round(random() * Math.min(',
      to: 'Math.round((random() < 0 ? 0 : 1) * Math.min(',
    },
    from: 'outside',
  });
  it('F32: after kill -9 every socket is back, and they do not all come at once', async () => {
    const drivers = await driversOf(
      data,
      Array.from({ length: sockets }, (_, i) => `page-${i}`),
    );
    const attempts: number[] = [];
    for (const { token } of drivers) pages.push(new Page(api.url, token, attempts));
    const allReady = () =>
      eventually(() => expect(pages.filter(({ isReady }) => !isReady)).toHaveLength(0), { everyMs: 50 });
    await allReady();
    await api.stop('SIGKILL');
    await eventually(() => expect(pages.filter(({ isReady }) => isReady)).toHaveLength(0));
    const lost = performance.now();
    api = await start();
    await allReady();
    // The first attempts, of all of them within half a second, are the most that a server gets at once.
    const after = attempts.filter((at) => at >= lost - 1_000).toSorted((a, b) => a - b);
    expect(after.length).toBeGreaterThanOrEqual(sockets);
    expect(peak(after)).toBeLessThan(sockets / 2);
  });
});
