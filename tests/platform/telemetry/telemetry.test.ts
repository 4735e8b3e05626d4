import { describe, expect, test } from 'vitest';
import { createLogger } from '#platform/telemetry/pino-logger.js';
import { createMetrics } from '#platform/telemetry/prometheus-metrics.js';

function capture(level: 'debug' | 'info' = 'info') {
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', level, stream: { write: (line) => void lines.push(line) } });
  return { logger, lines };
}

describe('the logger', () => {
  test('writes one JSON line with its fields and those of its parents', () => {
    const { logger, lines } = capture();
    logger.child({ room: 'ingest' }).warn('slow', { heldBatches: 3 });
    logger.debug('not at this level');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      name: 'test',
      level: 'warn',
      message: 'slow',
      room: 'ingest',
      heldBatches: 3,
    });
  });

  test('P4: never logs tokens and places, two levels down and in children', () => {
    const { logger, lines } = capture('debug');
    logger.info('a', { token: 'canary', lat: 57.7012345 });
    logger.info('b', { request: { authorization: 'Bearer canary', point: { lng: 11.9612345 } } });
    logger.child({ secret: 'canary' }).debug('c', { headers: { cookie: 'canary' } });
    expect(lines).toHaveLength(3);
    expect(lines.join('')).not.toMatch(/canary|57\.70|11\.96/);
  });

  test('errors keep their stack for operators', () => {
    const { logger, lines } = capture();
    logger.error('failed', { error: new RangeError('too far') });
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ error: { type: 'RangeError', message: 'too far' } });
  });
});

describe('the metrics', () => {
  test('the same labels give the same child, in any order', async () => {
    const metrics = createMetrics();
    const one = metrics.counter('x_total', 'X.', { a: '1', b: '2' });
    expect(metrics.counter('x_total', 'X.', { b: '2', a: '1' })).toBe(one);
    one.add();
    metrics.counter('x_total', 'X.', { a: '1', b: '2' }).add(4);
    metrics.counter('x_total', 'X.', { a: '1', b: '3' });
    const { text, contentType } = await metrics.scrape();
    expect(contentType).toContain('text/plain');
    expect(text).toContain('x_total{a="1",b="2"} 5');
    expect(text).toContain('x_total{a="1",b="3"} 0');
  });

  test('gauges are set and counts flushed right before a scrape', async () => {
    const metrics = createMetrics();
    const counts = new Uint32Array(1);
    const gauge = metrics.gauge('open', 'Open.');
    metrics.onScrape(() => gauge.set(counts[0] ?? 0));
    counts[0] = 7;
    expect((await metrics.scrape()).text).toContain('open 7');
  });

  test('a counter grows from scrape to scrape, also by what a flush adds, and never falls', async () => {
    const metrics = createMetrics();
    const counter = metrics.counter('y_total', 'Y.');
    metrics.onScrape(() => counter.add(2));
    counter.add(3);
    expect((await metrics.scrape()).text).toContain('y_total 5');
    counter.add(0.5);
    expect((await metrics.scrape()).text).toContain('y_total 7.5');
    for (const wrong of [-1, Number.NaN]) expect(() => counter.add(wrong)).toThrow('y_total can only grow');
  });

  test('histograms count values up to a bound, with the sum, and escape their labels', async () => {
    const metrics = createMetrics();
    const histogram = metrics.histogram('s', 'S.', [2, 1], { k: 'a"b' });
    for (const value of [0.5, 1, 1.5, 7]) histogram.observe(value);
    const { text } = await metrics.scrape();
    expect(text).toContain(
      [
        '# HELP s S.',
        '# TYPE s histogram',
        's_bucket{le="1",k="a\\"b"} 2',
        's_bucket{le="2",k="a\\"b"} 3',
        's_bucket{le="+Inf",k="a\\"b"} 4',
        's_sum{k="a\\"b"} 10',
        's_count{k="a\\"b"} 4',
        '',
      ].join('\n'),
    );
  });

  test('two programs in one process have separate figures', async () => {
    createMetrics().counter('own_total', 'Own.').add();
    expect((await createMetrics().scrape()).text).not.toContain('own_total');
  });
});
