import { LogUnavailable, type NewRecord } from './event-log.js';
import { eventLogLimits } from './limits.js';

const { recordBytesMax, keyBytesMax, headersMax } = eventLogLimits;

/** Bytes of key, headers and value: what both logs count against their limits. */
export function recordBytes(record: NewRecord): number {
  let bytes = Buffer.byteLength(record.key) + (record.value?.length ?? 0);
  for (const name in record.headers)
    bytes += Buffer.byteLength(name) + Buffer.byteLength(record.headers[name]!);
  return bytes;
}

/**
 * Bytes of all records. Throws a `LogUnavailable` that is not retriable for a record that no log would
 * accept; then nothing of the call is appended.
 */
export function checkRecords(topic: string, records: readonly NewRecord[]): number {
  let total = 0;
  for (let index = 0; index < records.length; index++) {
    const record = records[index]!;
    const bytes = recordBytes(record);
    total += bytes;
    const fault = faultOf(record, bytes);
    if (fault !== undefined)
      throw new LogUnavailable(`Record ${index} for ${topic} ${fault}`, { retriable: false });
  }
  return total;
}

function faultOf(record: NewRecord, bytes: number): string | undefined {
  if (bytes > recordBytesMax)
    return (
      `has ${bytes} bytes; the limit is ${recordBytesMax}. ` +
      'Split it, or store it in the object store and send its key.'
    );
  if (record.key.length * 3 > keyBytesMax && Buffer.byteLength(record.key) > keyBytesMax)
    return `has a key of more than ${keyBytesMax} bytes. Use a shorter key.`;
  if (record.headers !== undefined && Object.keys(record.headers).length > headersMax)
    return `has more than ${headersMax} headers. Move them into the message.`;
  const { timestampMs } = record;
  if (timestampMs !== undefined && !(Number.isSafeInteger(timestampMs) && timestampMs >= 0))
    return `has the timestamp ${timestampMs}; it must be whole Unix milliseconds.`;
  return undefined;
}
