import { describe, expect, test } from 'vitest';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';
import { quantile, RequestRates } from '#platform/telemetry/request-rates.js';

const bounds = [0.01, 0.1, 1] as const;

function recorded() {
  const metrics = createMetrics();
  const clock = { ms: 1_000_000 };
  const observe = (method: string, route: string, status: number, seconds: number, times = 1) => {
    const labels = { method, route, status: String(status) };
    const histogram = metrics.histogram('seconds', 'Seconds.', bounds, labels);
    for (let i = 0; i < times; i++) histogram.observe(seconds);
  };
  const begin = () =>
    new RequestRates({
      read: () => metrics.countsOf('seconds'),
      nameOf: (method, route) => (route.startsWith('/v1/') ? `${method} ${route}` : ''),
      nowMs: () => clock.ms,
      intervalMs: 1_000,
      intervals: 3,
    });
  return { clock, observe, begin };
}

describe('rates of requests', () => {
  test('count what came since the start: by operation, with refusals and failures, the busiest first', () => {
    const { clock, observe, begin } = recorded();
    observe('GET', '/v1/a', 200, 0.005, 7);
    const rates = begin();
    clock.ms += 500;
    observe('GET', '/v1/a', 200, 0.005, 2);
    observe('GET', '/v1/a', 404, 0.005);
    observe('GET', '/v1/a', 503, 0.005, 3);
    observe('POST', '/v1/a', 200, 0.005);
    observe('GET', '/page/', 200, 0.005, 4);
    observe('GET', '/healthz', 200, 0.005, 4);
    const { coveredMs, operations, intervals } = rates.rates();
    expect(coveredMs).toBe(500);
    expect(
      operations.map(({ operation, requests, refused, failed }) => [operation, requests, refused, failed]),
    ).toEqual([
      ['', 8, 0, 0],
      ['GET /v1/a', 6, 1, 3],
      ['POST /v1/a', 1, 0, 0],
    ]);
    expect(intervals).toEqual([{ endMs: clock.ms, requests: 15, failed: 3 }]);
  });

  test('forget what is older than the window, and say how much they cover', () => {
    const { clock, observe, begin } = recorded();
    const rates = begin();
    for (let turn = 1; turn <= 5; turn++) {
      observe('GET', '/v1/a', 200, 0.005, turn);
      clock.ms += 1_000;
      rates.turn();
    }
    clock.ms += 250;
    // The last three intervals and the one that has begun.
    expect(rates.rates()).toMatchObject({
      coveredMs: 3_250,
      operations: [{ requests: 3 + 4 + 5 }],
      intervals: [{ requests: 3 }, { requests: 4 }, { requests: 5 }, { requests: 0 }],
    });
    for (let turn = 0; turn < 4; turn++) rates.turn();
    expect(rates.rates().operations).toEqual([]);
  });

  test('durations are those of the window, not of all time', () => {
    const { clock, observe, begin } = recorded();
    const rates = begin();
    observe('GET', '/v1/a', 200, 0.5, 1_000);
    for (let turn = 0; turn < 4; turn++) {
      clock.ms += 1_000;
      rates.turn();
    }
    observe('GET', '/v1/a', 200, 0.005, 100);
    const [only] = rates.rates().operations;
    expect(only!.p99S).toBeLessThanOrEqual(0.01);
    observe('GET', '/v1/a', 503, 0.5, 2);
    expect(rates.rates().operations[0]!.p99S).toBeGreaterThan(0.1);
    expect(rates.rates().operations[0]!.p50S).toBeLessThanOrEqual(0.01);
  });

  test.each([
    // By bucket: up to 10 ms, 100 ms, 1 s, above.
    [[4, 0, 0, 0], 0.5, 0.005],
    [[4, 4, 0, 0], 0.75, 0.055],
    [[0, 0, 10, 0], 0.99, 0.991],
    [[0, 0, 0, 5], 0.99, 1],
    [[99, 0, 0, 1], 0.99, 0.01],
    [[0, 0, 0, 0], 0.5, 0],
  ])('of %j the quantile %d is %d s', (buckets, share, expected) => {
    expect(quantile(Float64Array.from(buckets), bounds, share)).toBeCloseTo(expected, 9);
  });
});
