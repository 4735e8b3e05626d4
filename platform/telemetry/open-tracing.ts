import { queueGauges } from './bounded-queue.js';
import type { SamplerName } from './head-sampling.js';
import type { Logger } from './logger.js';
import type { Metrics } from './metrics.js';
import type { Tracing } from './tracing.js';

export interface TracingSettings {
  /** Where spans are sent, including `/v1/traces`. */
  readonly url: string;
  readonly sampler: SamplerName;
  readonly ratio: number;
  readonly perSecond: number;
  readonly queuedMax: number;
  /** Longest wait of a span for others of its batch, milliseconds. */
  readonly delayMs: number;
  /** `service.name` and others. */
  readonly resource: Readonly<Record<string, string>>;
}

/**
 * Loads OpenTelemetry's packages, which is why nothing imports them before. Spans are exported by OTLP over
 * HTTP in Protobuf; the exporter reads the other standard settings itself (headers, timeout, compression,
 * certificates).
 */
export async function openTracing(
  settings: TracingSettings,
  { logger, metrics }: { readonly logger: Logger; readonly metrics: Metrics },
): Promise<Tracing> {
  const [{ OtelTracing }, { spanQueue }, { headSampling }, sdk, otlp] = await Promise.all([
    import('./otel-tracing.js'),
    import('./counted-spans.js'),
    import('./head-sampling.js'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-proto'),
  ]);
  const counter = (outcome: string) =>
    metrics.counter('trace_spans_total', 'Spans by outcome: exported, refused by the collector, dropped.', {
      outcome,
    });
  const { queuedMax, delayMs, url, resource } = settings;
  const processor = spanQueue({
    exporter: new otlp.OTLPTraceExporter({ url }),
    batching: (exporter) =>
      new sdk.BatchSpanProcessor(exporter, {
        maxQueueSize: queuedMax,
        maxExportBatchSize: Math.min(512, queuedMax),
        scheduledDelayMillis: delayMs,
      }),
    queuedMax,
    counts: { exported: counter('exported'), refused: counter('refused'), dropped: counter('dropped') },
    onChange: (failure) =>
      failure === undefined
        ? logger.info('the collector of traces takes spans again')
        : logger.warn('the collector of traces takes no spans, they are discarded', {
            cause: failure.message,
          }),
  });
  queueGauges(metrics)('trace spans', () => processor.waiting, queuedMax);
  const isWanted = headSampling({
    sampler: settings.sampler,
    ratio: settings.ratio,
    perSecond: settings.perSecond,
    nowMs: () => performance.now(),
    random: Math.random,
  });
  return new OtelTracing({ processor, resource, isWanted });
}
