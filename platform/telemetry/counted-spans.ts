import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Counter } from './metrics.js';

/** The result codes of exporters. */
const succeeded = 0;

export interface SpanCounts {
  readonly exported: Counter;
  /** The collector did not take them; they are not sent again. */
  readonly refused: Counter;
  /** The queue was full. */
  readonly dropped: Counter;
}

export interface SpanQueueOptions {
  readonly exporter: SpanExporter;
  /** Sends what it is given in batches; its own queue is at least as long. */
  readonly batching: (exporter: SpanExporter) => SpanProcessor;
  /** Spans that wait for the collector or are on their way to it; further ones are dropped. */
  readonly queuedMax: number;
  readonly counts: SpanCounts;
  /** Called when the collector no longer takes spans, and when it takes them again (undefined). */
  readonly onChange: (failure: Error | undefined) => void;
}

/** A bounded queue of spans: at the limit the newest are dropped, and all outcomes are counted. */
export function spanQueue(options: SpanQueueOptions): SpanProcessor & { readonly waiting: number } {
  const { exporter, queuedMax, counts, onChange } = options;
  let waiting = 0;
  let isFailing = false;
  const report = (failure: Error | undefined): void => {
    if ((failure !== undefined) === isFailing) return;
    isFailing = failure !== undefined;
    onChange(failure);
  };
  const processor = options.batching({
    export(spans, done) {
      exporter.export(spans, (result) => {
        waiting -= spans.length;
        const isTaken = result.code === succeeded;
        (isTaken ? counts.exported : counts.refused).add(spans.length);
        report(isTaken ? undefined : (result.error ?? new Error('the collector refused the spans')));
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  });
  return {
    get waiting() {
      return waiting;
    },
    onStart: () => {},
    onEnd(span: ReadableSpan) {
      if (waiting >= queuedMax) {
        counts.dropped.add();
        return;
      }
      waiting++;
      processor.onEnd(span);
    },
    forceFlush: () => processor.forceFlush(),
    shutdown: () => processor.shutdown(),
  };
}
