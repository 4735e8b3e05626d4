import { crc32c } from '@platformatic/kafka';
import type { NewRecord } from './event-log.js';
import { writeText } from './write-text.js';

/**
 * A record batch of Kafka's message format 2, big-endian, written in one pass into a buffer that is used
 * again:
 *
 *   0             8        12       16      17       21           23           27          35          43
 *   ┌─────────────┬────────┬────────┬───────┬────────┬────────────┬────────────┬───────────┬───────────┬┄
 *   │ base offset │ length │ epoch  │ magic │ crc32c │ attributes │ last delta │ base time │ max time  │
 *   └─────────────┴────────┴────────┴───────┴────────┴────────────┴────────────┴───────────┴───────────┴┄
 *   43            51               53              57      61
 *  ┄┬─────────────┬────────────────┬───────────────┬───────┬─────────┐
 *   │ producer id │ producer epoch │ base sequence │ count │ records │
 *  ┄┴─────────────┴────────────────┴───────────────┴───────┴─────────┘
 *   record = varint length, i8 attributes, varint time delta, varint offset delta, key, value, headers
 *
 * The checksum covers everything from the attributes on.
 */
const LENGTH_AT = 8;
const CRC_AT = 17;
const ATTRIBUTES_AT = 21;
const RECORDS_AT = 61;
const VARINTS_BYTES_MAX = 40;
const HEADER_BYTES_MAX = 12;

export interface ProducerIdentity {
  readonly id: bigint;
  readonly epoch: number;
}

let scratch = Buffer.allocUnsafeSlow(256 * 1024);
let at = 0;

/** `records` is never empty and belongs to one partition; `nowMs` stands for a missing timestamp. */
export function encodeRecordBatch(
  records: readonly NewRecord[],
  producer: ProducerIdentity,
  baseSequence: number,
  nowMs: number,
): Buffer {
  at = RECORDS_AT;
  const baseTime = records[0]!.timestampMs ?? nowMs;
  let maxTime = baseTime;
  for (let index = 0; index < records.length; index++) {
    const record = records[index]!;
    const time = record.timestampMs ?? nowMs;
    if (time > maxTime) maxTime = time;
    writeRecord(record, time - baseTime, index);
  }
  scratch.fill(0, 0, LENGTH_AT);
  scratch.writeInt32BE(at - LENGTH_AT - 4, LENGTH_AT);
  scratch.writeInt32BE(-1, 12);
  scratch[16] = 2;
  scratch.writeInt16BE(0, ATTRIBUTES_AT);
  scratch.writeInt32BE(records.length - 1, 23);
  scratch.writeBigInt64BE(BigInt(baseTime), 27);
  scratch.writeBigInt64BE(BigInt(maxTime), 35);
  scratch.writeBigInt64BE(producer.id, 43);
  scratch.writeInt16BE(producer.epoch, 51);
  scratch.writeInt32BE(baseSequence, 53);
  scratch.writeInt32BE(records.length, 57);
  const batch = Buffer.from(scratch.subarray(0, at));
  batch.writeUInt32BE(crc32c(batch.subarray(ATTRIBUTES_AT)), CRC_AT);
  return batch;
}

function writeRecord({ key, value, headers }: NewRecord, timeDelta: number, offsetDelta: number): void {
  const names = headers === undefined ? [] : Object.keys(headers);
  let headersBytes = 0;
  for (const name of names) headersBytes += HEADER_BYTES_MAX + (name.length + headers![name]!.length) * 3;
  const valueBytes = value === null ? -1 : value.length;
  const room = key.length * 3 + Math.max(0, valueBytes) + headersBytes + VARINTS_BYTES_MAX;
  if (scratch.length < at + room) grow(at + room);
  // The length comes first but is known last; it takes two bytes unless the record is tiny or huge.
  const start = at;
  at += 2;
  scratch[at++] = 0;
  writeSigned(timeDelta);
  writeSigned(offsetDelta);
  writeField(key);
  writeSigned(valueBytes);
  if (value !== null) {
    scratch.set(value, at);
    at += valueBytes;
  }
  writeSigned(names.length);
  for (const name of names) {
    writeField(name);
    writeField(headers![name]!);
  }
  putLength(start, at - start - 2);
}

function putLength(start: number, length: number): void {
  const bytes = signedBytes(length);
  const end = start + bytes + length;
  if (bytes !== 2) scratch.copyWithin(start + bytes, start + 2, start + 2 + length);
  at = start;
  writeSigned(length);
  at = end;
}

function signedBytes(value: number): number {
  let bytes = 1;
  for (let rest = value * 2; rest > 0x7f; rest = Math.floor(rest / 128)) bytes++;
  return bytes;
}

/** After its length, which takes one byte up to 63 and is written when the length of the text is known. */
function writeField(text: string): void {
  const start = at + 1;
  const bytes = writeText(text, scratch, start);
  const lengthBytes = signedBytes(bytes);
  if (lengthBytes !== 1) scratch.copyWithin(at + lengthBytes, start, start + bytes);
  writeSigned(bytes);
  at += bytes;
}

/** Zigzag varint; exact for every whole number below 2^52. */
function writeSigned(value: number): void {
  let rest = value >= 0 ? value * 2 : -value * 2 - 1;
  for (; rest > 0x7fffffff; rest = Math.floor(rest / 128)) scratch[at++] = (rest & 0x7f) | 0x80;
  for (; rest > 0x7f; rest >>>= 7) scratch[at++] = (rest & 0x7f) | 0x80;
  scratch[at++] = rest;
}

function grow(bytes: number): void {
  const larger = Buffer.allocUnsafeSlow(bytes * 2);
  scratch.copy(larger, 0, 0, at);
  scratch = larger;
}
