import type { Gauge, Metrics } from '../telemetry/metrics.js';
import type { StreamGauges } from './stream-gauges.js';

/** The gauges of one consumer group in Prometheus' names. */
export function metricsGauges(metrics: Metrics, group: string): StreamGauges {
  const counted = (name: string, help: string) => (labels: Record<string, string>, amount: number) =>
    metrics.counter(name, help, { group, ...labels }).add(amount);
  const records = counted('stream_records_total', 'Records handled by a consumer group.');
  const dropped = counted('stream_dropped_total', 'Records that were not used, by reason.');
  const deadLettered = counted('stream_dead_letters_total', 'Records that could not be processed.');
  const retried = counted('stream_retries_total', 'Failed attempts at a record that were retried.');
  let watermark: Gauge | undefined;
  return {
    records: (topic, count) => records({ topic }, count),
    dropped: (topic, reason) => dropped({ topic, reason }, 1),
    deadLettered: (topic) => deadLettered({ topic }, 1),
    retried: (topic) => retried({ topic }, 1),
    lag: (topic, waiting) =>
      metrics
        .gauge('consumer_lag', 'Records that a consumer group has not processed yet.', { group, topic })
        .set(waiting),
    watermark: (eventTimeMs) => {
      watermark ??= metrics.gauge('stream_watermark_seconds', 'Event time up to which inputs are complete.', {
        group,
      });
      watermark.set(eventTimeMs / 1_000);
    },
  };
}
