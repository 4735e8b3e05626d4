import type { KafkaMessage } from 'kafkajs';
import type { LogRecord } from './event-log.js';

/** A message as kafkajs gives it. A key or header that is not text or missing becomes empty text. */
export function logRecordOf({ offset, key, value, headers, timestamp }: KafkaMessage): LogRecord {
  const texts: Record<string, string> = {};
  for (const [name, header] of Object.entries(headers ?? {})) {
    const last = Array.isArray(header) ? header.at(-1) : header;
    texts[name] = last?.toString() ?? '';
  }
  return {
    offset: Number(offset),
    key: key?.toString() ?? '',
    value,
    headers: texts,
    timestampMs: Number(timestamp),
  };
}
