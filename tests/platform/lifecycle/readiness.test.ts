import { stat } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { operationsRoutes } from '#platform/lifecycle/operations-routes.js';
import { createReadiness } from '#platform/lifecycle/readiness.js';
import { waitFor } from '#platform/lifecycle/wait-for.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { httpTransport } from '../../http-transport.js';
import { type StartedServer, startServer } from '../http/start-server.js';

/** Keeps the event loop busy. */
function block(ms: number): void {
  const endsAt = performance.now() + ms;
  while (performance.now() < endsAt);
}

describe('F42: readiness is honest and recovers by itself', () => {
  test('an unfulfilled condition prevents readiness, and does so again when it is withdrawn', async () => {
    const readiness = createReadiness(silentLogger);
    const map = readiness.condition('map', 'The map is being loaded.');
    expect(await readiness.report()).toMatchObject({
      ready: false,
      reasons: { map: 'The map is being loaded.' },
    });
    map.fulfil();
    expect(await readiness.report()).toMatchObject({ ready: true, reasons: {} });
    map.withdraw('The map file is gone.');
    expect(await readiness.report()).toMatchObject({ ready: false });
  });

  test('a dependency that becomes available makes it ready, an outage makes it unready', async () => {
    let now = 0;
    let fault: string | undefined = 'connection refused';
    const readiness = createReadiness(silentLogger, () => now);
    readiness.check('store', async () => {
      if (fault !== undefined) throw new Error(fault);
    });
    expect(await readiness.report()).toMatchObject({
      ready: false,
      reasons: { store: 'connection refused' },
    });
    fault = undefined;
    now += 1_000;
    expect(await readiness.report()).toMatchObject({ ready: true, reasons: {} });
    fault = 'reset';
    now += 1_000;
    expect(await readiness.report()).toMatchObject({ ready: false, reasons: { store: 'reset' } });
  });

  test('F17: an optional dependency does not prevent readiness, and is reported', async () => {
    const readiness = createReadiness(silentLogger);
    readiness.check('cache', () => Promise.reject(new Error('connection refused')), { dispensable: true });
    expect(await readiness.report()).toEqual({
      ready: true,
      reasons: {},
      without: { cache: 'connection refused' },
    });
  });

  test('checks a dependency at most once a second, however often readiness is queried', async () => {
    let now = 0;
    let asked = 0;
    const readiness = createReadiness(silentLogger, () => now);
    readiness.check('store', async () => {
      asked += 1;
    });
    for (let at = 0; at < 100; at += 1) {
      now += 10;
      await Promise.all([readiness.report(), readiness.report()]);
    }
    expect(asked).toBe(1);
  });

  test('a dependency that does not answer counts as missing after two seconds', async () => {
    const readiness = createReadiness(silentLogger);
    readiness.check('store', () => new Promise(() => undefined));
    expect(await readiness.report()).toMatchObject({
      ready: false,
      reasons: { store: 'no answer in 2000 ms' },
    });
  });

  test('a program that is busy itself does not blame a dependency that answers', async () => {
    const warned = vi.fn();
    const readiness = createReadiness({ ...silentLogger, warn: warned });
    readiness.check('store', async () => {
      // The disk answers at once each time, and the program takes every answer a second late.
      for (let step = 0; step < 3; step += 1) {
        await stat('.');
        block(1_000);
      }
    });
    expect(await readiness.report()).toMatchObject({ ready: true, reasons: {} });
    expect(warned).not.toHaveBeenCalled();
  });

  test('a fault is logged under the name of the dependency, once, and so is its end', async () => {
    const logged: unknown[] = [];
    const note = (message: string, fields?: object): void => void logged.push({ message, ...fields });
    let [now, fault] = [0, 'reset' as string | undefined];
    const readiness = createReadiness({ ...silentLogger, warn: note, info: note }, () => now);
    readiness.check('store', async () => {
      if (fault !== undefined) throw new Error(fault);
    });
    for (const next of ['reset', undefined]) {
      await readiness.report();
      [now, fault] = [now + 1_000, next];
    }
    await readiness.report();
    expect(logged).toEqual([
      { message: 'dependency is unavailable', dependency: 'store', reason: 'reset' },
      { message: 'dependency recovered', dependency: 'store' },
    ]);
  });
});

describe('waiting for a dependency', () => {
  const options = { logger: silentLogger, signal: new AbortController().signal };

  test('retries until it is available', async () => {
    let tries = 0;
    const result = await waitFor(
      'log',
      async () => {
        tries += 1;
        if (tries < 3) throw new Error('refused');
        return tries;
      },
      options,
    );
    expect(result).toBe(3);
  });

  test('F41: stops at its deadline with the name and the last reason', async () => {
    const waiting = waitFor('EVENT_LOG', () => Promise.reject(new Error('refused')), {
      ...options,
      deadlineMs: 200,
    });
    await expect(waiting).rejects.toThrow('EVENT_LOG is unavailable: refused');
  });

  test('ends at once when the program stops', async () => {
    const controller = new AbortController();
    const waiting = waitFor('log', () => Promise.reject(new Error('refused')), {
      ...options,
      signal: controller.signal,
    });
    controller.abort(new Error('stopping'));
    await expect(waiting).rejects.toThrow('stopping');
  });
});

describe('the routes for operators', () => {
  let started: StartedServer;
  const readiness = createReadiness(silentLogger);
  const map = readiness.condition('map', 'The map is being loaded.');
  beforeAll(async () => {
    const metrics = createMetrics({ processMetrics: true });
    started = await startServer(httpTransport, {
      listener: 'internal',
      metrics,
      routes: operationsRoutes({ readiness, metrics, version: () => ({ commit: 'abc' }) }),
      limits: { inflightMax: 1 },
    });
  });
  afterAll(() => started.server.close());

  test('/readyz is 503 with the reasons, then 200, then 503 while it drains', async () => {
    const before = await fetch(`${started.base}/readyz`);
    expect(before.status).toBe(503);
    expect(before.headers.get('retry-after')).toBe('1');
    expect(await before.json()).toMatchObject({
      code: 'unavailable',
      errors: [{ pointer: '/map', message: 'The map is being loaded.' }],
    });
    map.fulfil();
    expect((await fetch(`${started.base}/readyz`)).status).toBe(200);
    readiness.drain();
    expect((await fetch(`${started.base}/readyz`)).status).toBe(503);
  });

  test.each(['/healthz', '/livez', '/version'])('%s answers JSON', async (path) => {
    const response = await fetch(started.base + path);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });

  test('/metrics counts requests by route, method and status', async () => {
    await fetch(`${started.base}/healthz`);
    await fetch(`${started.base}/nowhere/private`);
    const text = await (await fetch(`${started.base}/metrics`)).text();
    expect(text).toMatch(
      /http_request_duration_seconds_count\{route="\/healthz",method="GET",status="200"\} [1-9]/,
    );
    expect(text).toMatch(/route="none",method="GET",status="404"/);
    expect(text).not.toContain('private');
    expect(text).toContain('process_resident_memory_bytes');
  });
});
