import { traced, traceHeader, tracing } from '../telemetry/tracing.js';
import type { EventLog, NewRecord } from './event-log.js';

/**
 * The same log, with a span for each append that sampled work makes. Records that carry no trace of their own
 * get that of the append. If tracing is off, it is the log itself.
 */
export function tracedAppends(log: EventLog): EventLog {
  const on = tracing();
  if (on === undefined) return log;
  const append: EventLog['append'] = (topic, records) => {
    const own = records.flatMap(({ headers }) => headers?.[traceHeader] ?? []);
    const present = own.length > 0 ? undefined : on.current();
    if (own.length === 0 && present === undefined) return log.append(topic, records);
    const attributes = {
      'messaging.system': 'meridian',
      'messaging.operation.type': 'send',
      'messaging.destination.name': topic,
      'messaging.batch.message_count': records.length,
    };
    const causes = own.length > 0 ? { causes: own } : {};
    return traced(`send ${topic}`, { kind: 'producer', attributes, ...causes }, () =>
      log.append(topic, own.length > 0 ? records : records.map(withTrace(on.current()))),
    );
  };
  return {
    append,
    createTopics: (topics) => log.createTopics(topics),
    consume: (options) => log.consume(options),
    read: (topic, partition, fromOffset) => log.read(topic, partition, fromOffset),
    offsets: (topic) => log.offsets(topic),
    committed: (group, topic) => log.committed(group, topic),
    check: () => log.check(),
    close: () => log.close(),
  };
}

const withTrace =
  (trace: string | undefined) =>
  (record: NewRecord): NewRecord =>
    trace === undefined ? record : { ...record, headers: { ...record.headers, [traceHeader]: trace } };
