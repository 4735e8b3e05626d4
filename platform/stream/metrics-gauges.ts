import type { Gauge, Metrics } from '../telemetry/metrics.js';
import type { StreamGauges } from './stream-gauges.js';

/** The gauges of one consumer group in Prometheus' names. */
export function metricsGauges(metrics: Metrics, group: string): StreamGauges {
  const counters = (name: string, help: string) =>
    // Looked up for each record: by topic, without an object of labels.
    known((topic) => metrics.counter(name, help, { group, topic }));
  const records = counters('stream_records_total', 'Records handled by a consumer group.');
  const deadLettered = counters('stream_dead_letters_total', 'Records that could not be processed.');
  const retried = counters('stream_retries_total', 'Failed attempts at a record that were retried.');
  const dropped = known((topic) =>
    known((reason) =>
      metrics.counter('stream_dropped_total', 'Records that were not used, by reason.', {
        group,
        topic,
        reason,
      }),
    ),
  );
  let watermark: Gauge | undefined;
  return {
    begin(topic) {
      records(topic);
      deadLettered(topic);
    },
    records: (topic, count) => records(topic).add(count),
    dropped: (topic, reason) => dropped(topic)(reason).add(),
    deadLettered: (topic) => deadLettered(topic).add(),
    retried: (topic) => retried(topic).add(),
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

/** Made when it is first asked for. */
function known<Made>(make: (name: string) => Made): (name: string) => Made {
  const made = new Map<string, Made>();
  return (name) => {
    let one = made.get(name);
    if (one === undefined) {
      one = make(name);
      made.set(name, one);
    }
    return one;
  };
}
