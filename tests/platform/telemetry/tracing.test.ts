import { BatchSpanProcessor, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, test } from 'vitest';
import { Batcher } from '#platform/batcher/batcher.js';
import type { EventLog, NewRecord } from '#platform/event-log/event-log.js';
import { tracedAppends } from '#platform/event-log/traced-appends.js';
import { tracedStep } from '#platform/event-log/traced-step.js';
import { spanQueue } from '#platform/telemetry/counted-spans.js';
import { headSampling, type SamplerName } from '#platform/telemetry/head-sampling.js';
import { OtelTracing } from '#platform/telemetry/otel-tracing.js';
import { outsideTraces, traced, tracing, useTracing } from '#platform/telemetry/tracing.js';

const rules = { ratio: 0.5, perSecond: 1_000, nowMs: () => 0, random: () => 0.4 };
const traceId = (end: string): string => `4bf92f3577b34da6a3ce${end}`;
const low = traceId('000000000001');
const high = traceId('ffffffffffff');

describe('which requests are traced', () => {
  const decisions = (sampler: SamplerName, random = 0.4) => {
    const isWanted = headSampling({ ...rules, sampler, random: () => random });
    return [
      isWanted(undefined),
      isWanted({ traceId: high, sampled: true }),
      isWanted({ traceId: low, sampled: false }),
    ];
  };

  test.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['traceidratio', [true, false, true]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
    ['parentbased_traceidratio', [true, true, false]],
  ] as const)('%s', (sampler, wanted) => {
    expect(decisions(sampler)).toEqual(wanted);
  });

  test('a ratio takes its share of new traces', () => {
    expect(decisions('traceidratio', 0.6)[0]).toBe(false);
  });

  test('the limit per second holds against callers who want a trace of each request', () => {
    let nowMs = 0;
    const isWanted = headSampling({ ...rules, sampler: 'always_on', perSecond: 10, nowMs: () => nowMs });
    const taken = (): number =>
      Array.from({ length: 100 }, () => isWanted({ traceId: high, sampled: true })).filter(Boolean).length;
    expect(taken()).toBe(10);
    nowMs = 500;
    expect(taken()).toBe(5);
  });
});

describe('spans', () => {
  const exporter = new InMemorySpanExporter();
  const begin = (): OtelTracing => {
    exporter.reset();
    const on = new OtelTracing({
      processor: new SimpleSpanProcessor(exporter),
      resource: { 'service.name': 'test' },
      isWanted: () => true,
    });
    useTracing(on);
    return on;
  };
  afterEach(() => useTracing(undefined));
  const finished = (name: string) => exporter.getFinishedSpans().find((span) => span.name === name)!;
  const cause = (trace: string, span: string): string => `00-${trace}-${span}-01`;
  const [a, b] = ['00f067aa0ba90001', '00f067aa0ba90002'];

  test('off: the work runs, and nothing is asked', () => {
    expect(traced('work', {}, () => 7)).toBe(7);
    expect(tracing()).toBeUndefined();
  });

  test('causes of one trace continue it; causes of several are links', () => {
    begin();
    traced('one', { causes: [cause(low, a), cause(low, b)] }, () => {});
    traced('several', { causes: [cause(low, a), cause(high, b)] }, () => {});
    const [one, several] = [finished('one'), finished('several')];
    expect([one.spanContext().traceId, one.parentSpanContext?.spanId]).toEqual([low, a]);
    expect(one.links.map(({ context }) => context.spanId)).toEqual([b]);
    expect([low, high]).not.toContain(several.spanContext().traceId);
    expect(several.parentSpanContext).toBeUndefined();
    expect(several.links.map(({ context }) => context.spanId)).toEqual([a, b]);
  });

  test('no span without a sampled cause', () => {
    begin();
    for (const causes of [[], ['nonsense'], [`00-${low}-${a}-00`]])
      expect(traced('none', { causes }, () => tracing()?.current())).toBeUndefined();
    traced('none', {}, () => {});
    expect(exporter.getFinishedSpans()).toEqual([]);
  });

  test('an error is marked by its class; its message, which may hold values, is not exported', async () => {
    begin();
    const failing = traced('fails', { causes: [cause(low, a)] }, () =>
      Promise.reject(new RangeError('latitude 35.911')),
    );
    await expect(failing).rejects.toThrow(RangeError);
    expect(finished('fails')).toMatchObject({
      status: { code: 2 },
      attributes: { 'error.type': 'RangeError' },
    });
    expect(JSON.stringify(finished('fails').events)).toBe('[]');
  });

  test('work that many share is in nobody’s trace; a batch has those of its items', async () => {
    begin();
    traced('request', { causes: [cause(low, a)] }, () => {
      expect(outsideTraces(() => tracing()?.current())).toBeUndefined();
      expect(tracing()?.current()).toContain(low);
    });
    const seen: (string | undefined)[] = [];
    const batcher = new Batcher(
      (items: readonly number[]) => {
        seen.push(tracing()?.current());
        return Promise.resolve(items);
      },
      { atOnce: 1, batchMax: 1 },
    );
    // The first call begins the run that also works on the second one.
    const first = traced('first', { causes: [cause(low, a)] }, () => batcher.call(1));
    await Promise.all([first, batcher.call(2)]);
    expect(seen[0]).toContain(low);
    expect(seen[1]).toBeUndefined();
  });

  test('records get the trace of their append, or keep their own; consumers continue it', async () => {
    begin();
    const appended: NewRecord[] = [];
    const log = tracedAppends({
      append: (_topic: string, records: readonly NewRecord[]) => {
        appended.push(...records);
        return Promise.resolve([]);
      },
    } as unknown as EventLog);
    const own = { traceparent: cause(high, b) };
    await traced('request', { causes: [cause(low, a)] }, () => log.append('t', [{ key: 'k', value: null }]));
    await log.append('t', [{ key: 'k', value: null, headers: own }]);
    await log.append('t', [{ key: 'k', value: null }]);
    const sent = finished('send t').spanContext();
    expect(appended.map(({ headers }) => headers)).toEqual([
      { traceparent: cause(low, sent.spanId) },
      own,
      undefined,
    ]);
    const records = appended.map(({ headers = {} }) => ({ headers }));
    tracedStep('group', 't', records.slice(0, 1), () => {});
    expect(finished('process t').parentSpanContext?.spanId).toBe(sent.spanId);
  });
});

describe('the queue of spans', () => {
  test('drops and counts what is too much, and says once that the collector takes nothing', async () => {
    const counts = { exported: 0, refused: 0, dropped: 0 };
    const counter = (name: keyof typeof counts) => ({
      add(more = 1) {
        counts[name] += more;
      },
    });
    const changes: (string | undefined)[] = [];
    let code = 1;
    const processor = spanQueue({
      exporter: {
        export: (_spans, done) => done({ code, ...(code === 1 ? { error: new Error('refused') } : {}) }),
        shutdown: () => Promise.resolve(),
      },
      batching: (exporter) => new BatchSpanProcessor(exporter, { maxQueueSize: 4, maxExportBatchSize: 4 }),
      queuedMax: 3,
      counts: { exported: counter('exported'), refused: counter('refused'), dropped: counter('dropped') },
      onChange: (failure) => changes.push(failure?.message),
    });
    const on = new OtelTracing({ processor, resource: {}, isWanted: () => true });
    const five = (): void => {
      for (let i = 0; i < 5; i++) on.request('r', undefined, {})!.end();
    };
    five();
    expect(processor.waiting).toBe(3);
    await processor.forceFlush().catch(() => {});
    expect([counts, processor.waiting]).toEqual([{ exported: 0, refused: 3, dropped: 2 }, 0]);
    five();
    await processor.forceFlush().catch(() => {});
    code = 0;
    five();
    await processor.forceFlush();
    expect(counts).toEqual({ exported: 3, refused: 6, dropped: 6 });
    expect(changes).toEqual(['refused', undefined]);
    await on.close(1_000);
  });
});
