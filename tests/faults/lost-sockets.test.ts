import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
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

/** Connections go to the first of the ports that takes them, as behind a load balancer. */
async function balancerOf(ports: readonly number[]): Promise<Server> {
  const pass = (client: Socket, [port, ...others]: readonly number[]): void => {
    if (port === undefined) {
      client.destroy();
      return;
    }
    const server = connect(port, '127.0.0.1');
    let isTaken = false;
    server.on('connect', () => {
      isTaken = true;
      client.pipe(server).pipe(client);
    });
    client.on('error', () => server.destroy());
    client.on('close', () => server.destroy());
    server.on('error', () => undefined);
    server.on('close', () => (isTaken ? client.destroy() : pass(client, others)));
  };
  const balancer = createServer((client) => pass(client, ports)).listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  return balancer;
}

describe('the server of many sockets is killed', () => {
  let data: string;
  let ports: readonly [number, number];
  let [api, second]: RunningProgram[] = [];
  let balancer: Server;
  const pages: Page[] = [];
  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'meridian-sockets-'));
    ports = [await freePort(), await freePort()];
    api = await startProgram('api', { data, ports, env: unlimited });
    second = await startProgram('api', { data, env: unlimited });
    balancer = await balancerOf([ports[0], Number(new URL(second.url).port)]);
  });
  afterAll(async () => {
    for (const page of pages) page.close();
    balancer?.close();
    await api?.stop();
    await second?.stop();
    await rm(data, { recursive: true, force: true });
  });

  async function openPages(url: string, attempts: number[]): Promise<void> {
    for (const page of pages.splice(0)) page.close();
    const users = Array.from({ length: sockets }, (_, i) => `page-${i}`);
    for (const { token } of await driversOf(data, users)) pages.push(new Page(url, token, attempts));
    await allReady();
  }
  const allReady = () =>
    eventually(() => expect(pages.filter(({ isReady }) => !isReady)).toHaveLength(0), { everyMs: 20 });
  /** Resolves when every page has noticed it. */
  async function kill(attempts: readonly number[]): Promise<void> {
    await api!.stop('SIGKILL');
    await eventually(() => expect(attempts.length).toBeGreaterThanOrEqual(sockets));
  }

  proves('F32', {
    asked:
      '5,000 sockets, the server killed: all back within 3 s, at most 357 attempts in 100 ms, 2,781 without',
    shown:
      '500 pages, another server: back in one attempt each, within 6 s; 5,000 delays: 357 in 100 ms at most',
    scaled: '500 : 5,000 sockets and 6 s : 3 s, on two processors that are shared; 2.5 s when they are free',
    settings: ['no rate limits'],
    control: {
      in: 'web/navigation/reconnect.ts',
      change: 'Math.round(random() * Math.min(',
      to: 'Math.round((random() < 0 ? 0 : 1) * Math.min(',
    },
    from: 'outside',
  });
  it('F32: when another server is there, all sockets are back in time, and not all at once', async () => {
    const delays = Array.from({ length: 5_000 }, () => reconnectDelayMs(0, Math.random));
    expect(peak(delays.toSorted((a, b) => a - b))).toBeLessThanOrEqual(357);

    const attempts: number[] = [];
    const { port } = balancer.address() as AddressInfo;
    await openPages(`http://127.0.0.1:${port}`, attempts);
    const killedMs = performance.now();
    await kill(attempts);
    await allReady();
    expect(performance.now() - killedMs).toBeLessThan(6_000);
    expect(attempts).toHaveLength(sockets);
    // 25 on average; seven standard deviations more.
    expect(peak(attempts.toSorted((a, b) => a - b))).toBeLessThan(sockets * 0.12);
  });

  it('F32: a server that returns later has every socket back soon after it is ready', async () => {
    const attempts: number[] = [];
    api = await startProgram('api', { data, ports, env: unlimited });
    await openPages(api.url, attempts);
    await kill(attempts);
    api = await startProgram('api', { data, ports, env: unlimited });
    const readyMs = performance.now();
    await allReady();
    // A page waits for up to 15 s when it has tried a few times in vain.
    expect(performance.now() - readyMs).toBeLessThan(30_000);
    expect(peak(attempts.toSorted((a, b) => a - b))).toBeLessThan(sockets * 0.2);
  });
});
