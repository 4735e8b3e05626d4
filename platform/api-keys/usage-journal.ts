import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type MeteredFamily, meteredFamilies } from '#schemas/http/metered-families.js';
import { lives, thisProcess } from '../lmdb/process-identity.js';

/** A count of one customer, day and family. */
export interface UsageCount {
  readonly customerId: string;
  /** Days since 1970-01-01, UTC. */
  readonly day: number;
  readonly family: MeteredFamily;
  readonly requests: number;
}

/** A count in the file, and as it will be written next. */
export interface Slot {
  readonly customerId: string;
  readonly day: number;
  readonly family: MeteredFamily;
  requests: number;
  readonly bytes: Buffer;
  /** The part of `bytes` that the checksum covers. */
  readonly checked: Buffer;
  readonly position: number;
}

const magic = 'MERUSAGE';
const version = 1;
const slotBytes = 64;
const checkAt = 60;
const idBytesMax = 40;
export const journalEnding = '.usage';

/**
 * The counts of one process in a file, so that they outlive the process: a count is written before the answer
 * to the request is sent. What was written is in the memory of the system, and a killed process loses none of
 * it. A power cut loses what is not in the database yet. `docs/formats/usage-journal.md`.
 */
export class UsageJournal {
  readonly sourceId: string = randomUUID();
  readonly path: string;
  readonly #file: number;
  readonly #slots: Slot[] = [];

  constructor(folder: string) {
    const { pid, startStamp } = thisProcess();
    const owner = [hostname(), pid, startStamp].map((part) => encodeURIComponent(part)).join('~');
    this.path = join(folder, `${this.sourceId}~${owner}${journalEnding}`);
    this.#file = openSync(this.path, 'wx', 0o600);
    const head = Buffer.alloc(slotBytes);
    head.write(magic, 0, 'latin1');
    head.writeUInt32LE(version, 8);
    head.write(this.sourceId, 12, 'latin1');
    head.writeUInt32LE(crc32(head.subarray(0, checkAt)), checkAt);
    writeSync(this.#file, head, 0, slotBytes, 0);
  }

  get counts(): readonly UsageCount[] {
    return this.#slots;
  }

  /** A new count of 0, in memory only until its first `add`. */
  slot(customerId: string, day: number, family: MeteredFamily): Slot {
    const bytes = Buffer.alloc(slotBytes);
    bytes.writeUInt32LE(day, 8);
    bytes[12] = meteredFamilies.indexOf(family);
    bytes[13] = bytes.write(customerId, 14, idBytesMax, 'latin1');
    const position = (this.#slots.length + 1) * slotBytes;
    const checked = bytes.subarray(0, checkAt);
    const slot = { customerId, day, family, requests: 0, bytes, checked, position };
    this.#slots.push(slot);
    return slot;
  }

  /** One more request. Throws when the file cannot be written; then nothing was counted. */
  add(slot: Slot): void {
    const { bytes } = slot;
    bytes.writeDoubleLE(slot.requests + 1, 0);
    bytes.writeUInt32LE(crc32(slot.checked), checkAt);
    writeSync(this.#file, bytes, 0, slotBytes, slot.position);
    slot.requests += 1;
  }

  close(): void {
    closeSync(this.#file);
  }
}

export interface ReadJournal {
  readonly sourceId: string;
  readonly counts: readonly UsageCount[];
  /** Parts that a power cut left half written. */
  readonly damaged: number;
}

/** Throws a sentence for a file that is no journal. */
export function readJournal(path: string): ReadJournal {
  const bytes = readFileSync(path);
  const isWhole = (at: number) =>
    at + slotBytes <= bytes.length &&
    crc32(bytes.subarray(at, at + checkAt)) === bytes.readUInt32LE(at + checkAt);
  if (!isWhole(0) || bytes.toString('latin1', 0, 8) !== magic || bytes.readUInt32LE(8) !== version)
    throw new Error(`${path} is not a journal of usage that this version reads. Remove it.`);
  const counts: UsageCount[] = [];
  let damaged = 0;
  for (let at = slotBytes; at < bytes.length; at += slotBytes) {
    // A slot whose first request was never answered is a hole before a later one.
    if (bytes.subarray(at, at + slotBytes).every((byte) => byte === 0)) continue;
    if (isWhole(at)) counts.push(countAt(bytes, at));
    else damaged += 1;
  }
  return { sourceId: bytes.toString('latin1', 12, 48), counts, damaged };
}

function countAt(bytes: Buffer, at: number): UsageCount {
  const idAt = at + 14;
  return {
    customerId: bytes.toString('latin1', idAt, idAt + bytes[at + 13]!),
    day: bytes.readUInt32LE(at + 8),
    family: meteredFamilies[bytes[at + 12]!]!,
    requests: bytes.readDoubleLE(at),
  };
}

/** Longer than a process writes to one journal. */
const foreignJournalAgeMs = 25 * 3_600_000;

/**
 * Whether no process writes to the journal any more. Of another host, as in another container with the same
 * volume, only its age shows that.
 */
export function isOrphan(name: string, changedMs: number, nowMs: number): boolean {
  const [, host = '', pid = '', startStamp = ''] = name
    .slice(0, -journalEnding.length)
    .split('~')
    .map((part) => decodeURIComponent(part));
  if (host !== hostname()) return nowMs - changedMs > foreignJournalAgeMs;
  return !lives({ pid: Number(pid), startStamp });
}
