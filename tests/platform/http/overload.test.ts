import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpServer } from '#platform/http/http-server.js';
import { type Priority, type Route, route } from '#platform/http/http-types.js';
import { InflightGate } from '#platform/http/inflight-gate.js';
import { turnBudgetMs, turnServedMin } from '#platform/http/limits.js';
import { MemoryRateLimiter } from '#platform/http/memory-rate-limiter.js';
import { ownCpuMs } from '#platform/http/own-cpu.js';
import { sharedRateLimiter } from '#platform/http/shared-rate-limiter.js';
import { TokenBucket } from '#platform/http/token-bucket.js';
import { TurnClock } from '#platform/http/turn-clock.js';
import type { LiveCache } from '#platform/live-cache/live-cache.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { until } from '../../contracts/until.js';
import { converse, statuses } from './raw-client.js';
import { plainTokens, type StartedServer, startServer } from './start-server.js';

const common = {
  listener: 'public',
  method: 'GET',
  tag: 't',
  summary: '',
  scopes: 'open',
  responses: {},
} as const;
const get = (path: string, priority: Priority, handle: Route['handle']) =>
  route({ ...common, operationId: path, path }, handle as never, { priority });

let started: StartedServer | undefined;
afterEach(() => started?.server.close());

describe('F38: shedding by the time a turn has taken', () => {
  /** Takes so much CPU, however long the machine makes us wait for it. */
  const burn = (milliseconds: number): void => {
    const before = ownCpuMs();
    while (ownCpuMs() - before < milliseconds);
  };
  /** Time goes by in the middle of a turn as it does where the machine gives the CPU to others. */
  const withoutCpu = (milliseconds: number) =>
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
  const limits = { turnBudgetMs };
  const routes = [
    get('/slow', 'navigation', () => {
      burn(40);
      return { status: 200 };
    }),
    get('/quick', 'navigation', () => ({ status: 200 })),
    get('/paused', 'navigation', () => {
      withoutCpu(4 * turnBudgetMs);
      return { status: 200 };
    }),
    get('/vital', 'vital', () => ({ status: 200 })),
  ];
  /** One packet, so that all are certain to come in one turn. */
  const statusesOf = async (port: number, paths: readonly string[]) => {
    const packet = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
    const { answer } = await converse(port, packet, {
      isDone: (all) => statuses(all).length === paths.length,
    });
    return { answer, statuses: statuses(answer) };
  };

  test('the clock counts CPU time from the first request of a turn, each turn by itself', async () => {
    const clock = new TurnClock(25);
    const few = () => Array.from({ length: turnServedMin }, () => clock.isSpent());
    expect(few()).not.toContain(true);
    withoutCpu(100);
    expect(few()).not.toContain(true);
    burn(30);
    expect(clock.isSpent()).toBe(true);
    await new Promise((wake) => setImmediate(wake));
    expect(few()).not.toContain(true);
    const patient = new TurnClock(60_000);
    expect(Array.from({ length: 1_000 }, () => patient.isSpent())).not.toContain(true);
  });

  test('requests behind slow ones in the same turn get 503 with Retry-After; vital ones and pages are served', async () => {
    started = await startServer({
      limits,
      routes,
      pages: [{ path: '/page', handle: () => ({ status: 200 }) }],
    });
    const served = ['/slow', ...Array.from({ length: turnServedMin - 1 }, () => '/quick')];
    const { answer, statuses: all } = await statusesOf(started.port, [
      ...served,
      '/vital',
      '/page',
      '/quick',
    ]);
    expect(all).toEqual([...served.map(() => 200), 200, 200, 503]);
    expect(answer).toContain('retry-after: 1');
    expect(answer).toContain('content-type: application/problem+json');
    expect(answer).toContain('"code":"overloaded"');
    expect((await statusesOf(started.port, ['/quick'])).statuses).toEqual([200]);
  });

  test('while the machine gives the CPU to others nobody is sent away', async () => {
    started = await startServer({ limits, routes });
    const many = ['/paused', ...Array.from({ length: 63 }, () => '/quick')];
    expect((await statusesOf(started.port, many)).statuses).toEqual(many.map(() => 200));
  });

  test('so few as two connections send are served, however slow the machine is', async () => {
    started = await startServer({ limits, routes });
    const few = ['/slow', '/slow', ...Array.from({ length: turnServedMin - 2 }, () => '/quick')];
    expect((await statusesOf(started.port, few)).statuses).toEqual(few.map(() => 200));
  });
});

describe('F38: places for running requests by class', () => {
  test('tiles fill half, navigation four fifths, location writes all; vital ones always pass', () => {
    const gate = new InflightGate(10);
    const fill = (priority: Priority) => {
      let entered = 0;
      while (entered < 20 && gate.enter(priority)) entered += 1;
      return entered;
    };
    expect([fill('tile'), fill('navigation'), fill('location')]).toEqual([5, 3, 2]);
    expect(fill('vital')).toBe(20);
  });

  test('a full server answers 503 at once and serves again when places are free', async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    started = await startServer({
      limits: { inflightMax: 5 },
      routes: [
        get('/held', 'navigation', () => held.then(() => ({ status: 200 }))),
        get('/tile', 'tile', () => ({ status: 200 })),
        get('/write', 'location', () => ({ status: 200 })),
      ],
    });
    const { base, server } = started;
    const waiting = Array.from({ length: 4 }, () => fetch(`${base}/held`));
    await until('four requests under way', () => server.active === 4);
    const [held5, tile, write] = await Promise.all(
      ['/held', '/tile', '/write'].map((path) => fetch(base + path)),
    );
    expect([held5?.status, tile?.status, write?.status]).toEqual([503, 503, 200]);
    release();
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await fetch(`${base}/tile`)).status).toBe(200);
  });
});

describe('N6: rate limits', () => {
  const policy = { name: 'test', limit: 3, windowS: 60 };

  test('a bucket gives its limit at once and then one for each part of the window', () => {
    let now = 0;
    const limiter = new MemoryRateLimiter(() => now);
    const take = () => limiter.take('u1', policy);
    expect([take(), take(), take()]).toMatchObject([
      { allowed: true, remaining: 2, resetS: 20 },
      { allowed: true, remaining: 1, resetS: 40 },
      { allowed: true, remaining: 0, resetS: 60 },
    ]);
    expect(take()).toEqual({ allowed: false, remaining: 0, resetS: 20 });
    now += 19_999;
    expect(take().allowed).toBe(false);
    now += 2;
    expect(take().allowed).toBe(true);
    expect(limiter.take('u2', policy)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('a million addresses take no more memory than one, and do not free one that is limited', () => {
    const limiter = new MemoryRateLimiter(() => 0, 42);
    for (let at = 0; at < 4; at += 1) limiter.take('ip:bad', policy);
    expect(limiter.take('ip:bad', policy).allowed).toBe(false);
    const before = process.memoryUsage().arrayBuffers;
    let refused = 0;
    for (let at = 0; at < 1_000_000; at += 1) if (!limiter.take(`ip:${at}`, policy).allowed) refused += 1;
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_000_000);
    expect(refused).toBeLessThan(1_000);
    expect(limiter.take('ip:bad', policy).allowed).toBe(false);
  });

  test('one count for all instances, and the own count while the cache is away', async () => {
    const counts = new Map<string, number>();
    let away = false;
    const cache = {
      increment: async (key: string) => {
        if (away) throw new Error('refused');
        counts.set(key, (counts.get(key) ?? 0) + 1);
        return counts.get(key) ?? 0;
      },
    } as unknown as LiveCache;
    const limiter = () => sharedRateLimiter(cache, new MemoryRateLimiter(() => 0), () => 90_000);
    const [one, other] = [limiter(), limiter()];
    for (const instance of [one, other, one]) await instance.take('u1', policy);
    expect(await other.take('u1', policy)).toEqual({ allowed: false, remaining: 0, resetS: 30 });
    away = true;
    expect(await one.take('u1', policy)).toMatchObject({ allowed: true, remaining: 2 });
  });

  test('the server counts users by name and strangers by address, and says what is left', async () => {
    started = await startServer({
      authenticator: plainTokens,
      rateLimit: {
        // Its clock stands, so that the seconds that are left do not depend on how long the requests take.
        limiter: new MemoryRateLimiter(() => 0),
        perIdentity: { name: 'user', limit: 2, windowS: 60 },
        perAddress: { name: 'address', limit: 3, windowS: 60 },
      },
      routes: [
        get('/open', 'navigation', () => ({ status: 200 })),
        get('/vital', 'vital', () => ({ status: 200 })),
        route({ ...common, operationId: 'owned', path: '/owned', scopes: ['driver'] }, () => ({
          status: 200,
        })),
      ],
    });
    const { base } = started;
    const ask = (path: string, user = '') =>
      fetch(base + path, user === '' ? {} : { headers: { authorization: `Bearer ${user}.driver` } });
    const first = await ask('/owned', 'u1');
    expect(first.headers.get('ratelimit-policy')).toBe('"user";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"user";r=1;t=30');
    expect(first.headers.get('ratelimit-remaining')).toBe('1');
    expect((await ask('/owned', 'u1')).status).toBe(200);
    const refused = await ask('/owned', 'u1');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect(await refused.json()).toMatchObject({ code: 'too-many-requests' });
    expect((await ask('/owned', 'u2')).status).toBe(200);
    const strangers = await Promise.all(Array.from({ length: 4 }, () => ask('/open')));
    expect(strangers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 429]);
    expect((await ask('/vital')).status).toBe(200);
  });

  test('a token bucket never holds more than its burst', () => {
    const bucket = new TokenBucket(1, 2, 0);
    expect([bucket.take(1_000_000), bucket.take(1_000_000), bucket.take(1_000_000)]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('F3: a drain', () => {
  test('answers what runs, asks clients to reconnect elsewhere, refuses new connections, and ends', async () => {
    const own = await startServer({
      routes: [
        get(
          '/slow',
          'navigation',
          () => new Promise((resolve) => setTimeout(() => resolve({ status: 200, body: 'done' }), 300)),
        ),
        get('/quick', 'navigation', () => ({ status: 200 })),
      ],
    });
    const running = fetch(`${own.base}/slow`);
    await until('a request under way', () => own.server.active === 1);
    const drained = own.server.drain(5_000);
    await expect(fetch(`${own.base}/quick`)).rejects.toThrow();
    const answer = await running;
    expect([answer.status, await answer.text(), answer.headers.get('connection')]).toEqual([
      200,
      'done',
      'close',
    ]);
    await drained;
    expect(own.server.active).toBe(0);
  });

  test('its deadline cuts what does not end', async () => {
    const own = await startServer({
      routes: [get('/never', 'navigation', () => new Promise(() => undefined))],
    });
    const running = fetch(`${own.base}/never`).catch((error: unknown) => error);
    await until('a request under way', () => own.server.active === 1);
    // Without it the drain would wait for ever.
    await own.server.drain(300);
    expect(await running).toBeInstanceOf(Error);
  });
});

describe('F41: a port that cannot be had', () => {
  const server = (name: string) =>
    createHttpServer({
      name,
      listener: 'public',
      routes: [],
      logger: silentLogger,
      metrics: createMetrics(),
    });

  test('is refused with a sentence that names it, whoever holds it', async () => {
    started = await startServer({});
    await expect(server('second').listen(started.port)).rejects.toThrow(
      new RegExp(
        `The second server cannot listen on 127.0.0.1:${started.port}: another program uses the port`,
      ),
    );
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    await expect(server('third').listen(port)).rejects.toThrow(/cannot listen/);
    await new Promise((resolve) => other.close(resolve));
  });

  test('the same after a drain is free again', async () => {
    const first = server('first');
    const { port } = await first.listen(0);
    await first.drain(500);
    const second = server('second');
    expect((await second.listen(port)).port).toBe(port);
    second.close();
  });

  test('two servers that share a port on purpose both listen', async () => {
    const shared = () =>
      createHttpServer({
        name: 'shared',
        listener: 'public',
        routes: [],
        sharePort: true,
        logger: silentLogger,
        metrics: createMetrics(),
      });
    const probe = server('probe');
    const { port } = await probe.listen(0);
    probe.close();
    const [one, two] = [shared(), shared()];
    expect((await one.listen(port)).port).toBe(port);
    expect((await two.listen(port)).port).toBe(port);
    one.close();
    two.close();
  });
});

test('routes that could not be served are refused before a port is taken', () => {
  const build = (routes: Route[]) =>
    createHttpServer({
      name: 'x',
      listener: 'public',
      routes,
      logger: silentLogger,
      metrics: createMetrics(),
    });
  const plain = get('/a', 'navigation', () => ({ status: 200 }));
  expect(() => build([plain, plain])).toThrow('GET /a is declared twice');
  const owned = route({ ...common, operationId: 'owned', path: '/b', scopes: ['driver'] }, () => ({
    status: 200,
  }));
  expect(() => build([owned])).toThrow(/owned asks for scopes/);
});
