import { causesOf, traced, tracing } from '../telemetry/tracing.js';

interface Traceable {
  readonly headers: Readonly<Record<string, string>>;
}

/** `work` on records of a topic as a span, if one of them comes from sampled work. */
export function tracedStep<Result>(
  group: string,
  topic: string,
  records: readonly Traceable[],
  work: () => Result,
): Result {
  if (tracing() === undefined) return work();
  const attributes = {
    'messaging.system': 'meridian',
    'messaging.operation.type': 'process',
    'messaging.destination.name': topic,
    'messaging.consumer.group.name': group,
    'messaging.batch.message_count': records.length,
  };
  return traced(`process ${topic}`, { kind: 'consumer', attributes, causes: causesOf(records) }, work);
}
