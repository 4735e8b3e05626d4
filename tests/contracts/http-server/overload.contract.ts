import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MemoryRateLimiter } from '#platform/http/admission/memory-rate-limiter.js';
import { ownCpuMs } from '#platform/http/admission/own-cpu.js';
import { type Priority, type Route, route } from '#platform/http/http-types.js';
import { turnBudgetMs, turnServedMin } from '#platform/http/limits.js';
import { createHttpServer } from '#platform/http/server/http-server.js';
import type { HttpTransport } from '#platform/http-transport/http-transport.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { proves } from '#tools/acceptance/proves.js';
import { converse, statuses } from '../../platform/http/raw-client.js';
import { plainTokens, type StartedServer, startServer } from '../../platform/http/start-server.js';
import { until } from '../until.js';

export function overloadContract(transport: HttpTransport): void {
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

  proves('F38', {
    asked: 'five times the load, 1,000 addresses: goodput 0.9 of capacity, p99 250 ms, memory flat',
    shown: 'a turn that has used its time: 503 with Retry-After before the body; vital ones are served',
    scaled: 'one turn; the load in faults/five-times-the-load and `bench ingest overload`, for ingest',
    control: {
      in: 'platform/http/admission/turn-clock.ts',
      change: '    return this.#isSpent;\n  }\n}',
      to: '    return false;\n  }\n}',
    },
    from: 'outside',
  });
  describe('F38: shedding by the CPU time of a turn', () => {
    /** Uses this much CPU time, however long the machine makes us wait for it. */
    const burn = (milliseconds: number): void => {
      const before = ownCpuMs();
      while (ownCpuMs() - before < milliseconds);
    };
    /** Time passes in the middle of a turn, as on a machine that gives the CPU to other processes. */
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
    /** One packet, so that all are certain to arrive in one turn. */
    const statusesOf = async (port: number, paths: readonly string[]) => {
      const packet = paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('');
      const { answer } = await converse(port, packet, {
        waitMs: 30_000,
        isDone: (all) => statuses(all).length === paths.length,
      });
      return { answer, statuses: statuses(answer) };
    };

    test('requests behind slow ones get 503 with Retry-After; vital ones and pages are served', async () => {
      started = await startServer(transport, {
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

    test('sheds nothing while the machine gives the CPU to other processes', async () => {
      started = await startServer(transport, { limits, routes });
      const many = ['/paused', ...Array.from({ length: 63 }, () => '/quick')];
      expect((await statusesOf(started.port, many)).statuses).toEqual(many.map(() => 200));
    });

    test('always serves as few requests as two connections send, however slow the machine', async () => {
      started = await startServer(transport, { limits, routes });
      const few = ['/slow', '/slow', ...Array.from({ length: turnServedMin - 2 }, () => '/quick')];
      expect((await statusesOf(started.port, few)).statuses).toEqual(few.map(() => 200));
    });
  });

  describe('F38: places for running requests by class', () => {
    test('a full server answers 503 at once and serves again when places are free', async () => {
      let release: () => void = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      started = await startServer(transport, {
        limits: { inflightMax: 5 },
        routes: [
          get('/held', 'navigation', () => held.then(() => ({ status: 200 }))),
          get('/tile', 'tile', () => ({ status: 200 })),
          get('/write', 'location', () => ({ status: 200 })),
        ],
      });
      const { base, server } = started;
      const waiting = Array.from({ length: 4 }, () => fetch(`${base}/held`));
      await until('four requests in progress', () => server.active === 4);
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
    test('counts users by name and anonymous clients by address, and reports what is left', async () => {
      started = await startServer(transport, {
        authenticator: plainTokens,
        rateLimit: {
          // Its clock does not move, so that the remaining seconds do not depend on the duration of the
          // requests.
          limiter: new MemoryRateLimiter(() => 0),
          perIdentity: { name: 'user', limit: 2, windowS: 60 },
          perAddress: { name: 'address', limit: 3, windowS: 60 },
          perProgram: ({ userId }) =>
            userId === 'shop' ? { name: 'merchant', limit: 9, windowS: 60 } : undefined,
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
      const ofShop = await ask('/owned', 'shop');
      expect(ofShop.headers.get('ratelimit-policy')).toBe('"merchant";q=9;w=60');
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
  });

  describe('F3: draining', () => {
    test('finishes requests, asks clients to reconnect elsewhere, rejects new ones, and stops', async () => {
      const own = await startServer(transport, {
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
      await until('a request in progress', () => own.server.active === 1);
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

    test('cuts requests at its deadline', async () => {
      const own = await startServer(transport, {
        routes: [get('/never', 'navigation', () => new Promise(() => undefined))],
      });
      const running = fetch(`${own.base}/never`).catch((error: unknown) => error);
      await until('a request in progress', () => own.server.active === 1);
      // Without it the drain would wait for ever.
      await own.server.drain(300);
      expect(await running).toBeInstanceOf(Error);
    });
  });

  describe('F41: an unavailable port', () => {
    const server = (name: string) =>
      createHttpServer({
        transport,
        name,
        listener: 'public',
        routes: [],
        logger: silentLogger,
        metrics: createMetrics(),
      });

    test('is rejected with a sentence that names it, whichever process holds it', async () => {
      started = await startServer(transport, {});
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

    test('a port is free again after a drain', async () => {
      const first = server('first');
      const { port } = await first.listen(0);
      await first.drain(500);
      const second = server('second');
      expect((await second.listen(port)).port).toBe(port);
      second.close();
    });

    test('two servers share a port on purpose, or the first reports that it cannot', async () => {
      const shared = () =>
        createHttpServer({
          transport,
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
      if (transport.canSharePort) {
        expect((await one.listen(port)).port).toBe(port);
        expect((await two.listen(port)).port).toBe(port);
      } else await expect(one.listen(port)).rejects.toThrow(/cannot share its port/);
      one.close();
      two.close();
    });
  });

  test('routes that cannot be served are rejected before a port is opened', () => {
    const build = (routes: Route[]) =>
      createHttpServer({
        transport,
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
}
