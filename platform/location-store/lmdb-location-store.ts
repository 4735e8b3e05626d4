import { type Database, open, type RootDatabase } from 'lmdb';
import type { LocationBatch } from '#schemas/location.js';
import { E7, type UserId } from '#schemas/units.js';
import { lmdbWrite } from '../lmdb/lmdb-write.js';
import { lmdbMapBytes } from '../lmdb/map-size.js';
import { valuesOf } from './field-codes.js';
import { locationStoreLimits } from './limits.js';
import { decodeLocationBlock, encodeLocationBlock } from './location-block.js';
import { checkPageRequest, encodeCursor, pageStart } from './location-cursor.js';
import {
  blockKey,
  dayEnd,
  parseReceiptKey,
  receiptKey,
  receiptPrefix,
  userEnd,
  userPrefix,
} from './location-key.js';
import type { LocationPage, LocationPageRequest, LocationStore, StoredLocation } from './location-store.js';
import {
  checkUserId,
  dayOf,
  type PartitionPoints,
  partitionsOf,
  type StoredPoint,
} from './partition-points.js';
import type { Retention } from './retention.js';

type Bytes = Database<Buffer, Buffer>;

/** Two of them fill a page. */
const probe = Buffer.alloc(1_900);
const probes = 34;
const probeKey = (nth: number): Buffer => Buffer.from(`check/${nth}`);

/**
 * Locations in one memory-mapped file. Points are stored in blocks of a partition (user and day). A write
 * decodes, merges and rewrites blocks in one transaction, so a block is never half-written. It resolves when
 * the file is flushed: neither a killed process nor a power cut loses it. Several processes may share the
 * folder. In a transaction's callback, LMDB's puts and removes take effect immediately, so only the promise
 * of the transaction is awaited.
 */
export class LmdbLocationStore implements LocationStore {
  readonly #root: RootDatabase<Buffer, Buffer>;
  readonly #blocks: Bytes;
  readonly #receipts: Bytes;
  readonly #retention: Retention;
  #sweeper: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(folder: string, retention: Retention) {
    this.#retention = retention;
    this.#root = open({
      path: folder,
      noSubdir: false,
      maxDbs: 2,
      mapSize: lmdbMapBytes,
      encoding: 'binary',
      keyEncoding: 'binary',
    });
    this.#blocks = this.#root.openDB('blocks', { encoding: 'binary', keyEncoding: 'binary' });
    this.#receipts = this.#root.openDB('receipts', { encoding: 'binary', keyEncoding: 'binary' });
  }

  async prepare(): Promise<void> {
    await this.sweep();
    if (this.#sweeper !== undefined) return;
    this.#sweeper = setInterval(() => {
      // The next round removes it; pages never include expired points.
      this.#sweeping = this.sweep().catch(() => {});
    }, locationStoreLimits.sweepIntervalMs);
    this.#sweeper.unref();
  }

  async write(batches: readonly LocationBatch[]): Promise<void> {
    const partitions = partitionsOf(batches);
    const step = locationStoreLimits.transactionPartitionsMax;
    const writes: Promise<void>[] = [];
    for (let at = 0; at < partitions.length; at += step) {
      const some = partitions.slice(at, at + step);
      writes.push(
        this.#write(() => {
          for (const partition of some) this.#merge(partition);
        }),
      );
    }
    await Promise.all(writes);
  }

  async read(userId: UserId, request: LocationPageRequest): Promise<LocationPage> {
    checkUserId(userId);
    checkPageRequest(request);
    const fromMs = pageStart(userId, request);
    const oldestMs = this.#retention.now() - this.#retention.retentionMs;
    const found: StoredLocation[] = [];
    if (fromMs >= request.toMs) return { locations: found };
    const prefix = userPrefix(userId);
    // Else a snapshot from before another process wrote may be used a little longer.
    this.#root.resetReadTxn();
    for (const { value } of this.#blocks.getRange({
      start: this.#blockAt(prefix, fromMs) ?? blockKey(prefix, dayOf(fromMs), fromMs),
      end: blockKey(prefix, dayOf(request.toMs), request.toMs),
    })) {
      for (const point of decodeLocationBlock(value)) {
        if (point.timeMs < fromMs || point.receivedMs <= oldestMs) continue;
        if (point.timeMs >= request.toMs) return { locations: found };
        if (found.length === request.limit)
          return { locations: found, nextCursor: encodeCursor(userId, point.timeMs) };
        found.push({
          lat: point.latE7 / E7,
          lng: point.lngE7 / E7,
          timestamp: point.timeMs,
          ...valuesOf(point.codes),
        });
      }
    }
    return { locations: found };
  }

  async erase(userId: UserId): Promise<void> {
    checkUserId(userId);
    const prefix = userPrefix(userId);
    await this.#write(() => {
      const blocks = [...this.#blocks.getKeys({ start: prefix, end: userEnd(prefix) })];
      for (const key of blocks) void this.#blocks.remove(key);
      const days = [...this.#receivedDays()].map((day) => receiptPrefix(day, prefix));
      const receipts = days.flatMap((start) => [...this.#receipts.getKeys({ start, end: userEnd(start) })]);
      for (const key of receipts) void this.#receipts.remove(key);
    });
  }

  /** Writes and reads as much as a batch may need: a full disk has free pages for less. */
  async check(): Promise<void> {
    await this.#write(() => {
      for (let nth = 0; nth < probes; nth += 1) this.#root.putSync(probeKey(nth), probe);
      // Within the transaction, because other processes delete what they find.
      if (this.#root.get(probeKey(0))?.equals(probe) !== true)
        throw new Error('what it wrote reads otherwise');
    });
    await this.#write(() => {
      for (let nth = 0; nth < probes; nth += 1) this.#root.removeSync(probeKey(nth));
    });
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper);
    await this.#sweeping;
    await this.#root.close();
  }

  /**
   * Removes the points that were received longer ago than the retention. A few partitions at a time, so that
   * writers are not delayed.
   */
  async sweep(): Promise<void> {
    const oldestMs = this.#retention.now() - this.#retention.retentionMs;
    const end = receiptPrefix(dayOf(oldestMs), Buffer.alloc(0));
    for (;;) {
      const due = [...this.#receipts.getKeys({ end, limit: locationStoreLimits.transactionPartitionsMax })];
      if (due.length === 0) return;
      await this.#write(() => {
        for (const key of due) {
          const { prefix, day } = parseReceiptKey(key);
          this.#dropOld(prefix, day, oldestMs);
          void this.#receipts.remove(key);
        }
      });
    }
  }

  /** Resolves when it is durable. */
  #write(action: () => void): Promise<void> {
    return lmdbWrite(this.#root, action).flushed;
  }

  /** Inside a transaction: new points replace stored ones with the same timestamp. */
  #merge({ userId, day, points }: PartitionPoints): void {
    const prefix = userPrefix(userId);
    const firstMs = points[0]!.timeMs;
    const lastMs = points.at(-1)!.timeMs;
    const touched = [
      ...this.#blocks.getRange({
        start: this.#blockAt(prefix, firstMs) ?? blockKey(prefix, day, firstMs),
        end: blockKey(prefix, day, lastMs + 1),
      }),
    ].map(({ key, value }) => ({ key, points: decodeLocationBlock(value) }));
    const merged = new Map<number, StoredPoint>();
    for (const block of touched) for (const point of block.points) merged.set(point.timeMs, point);
    for (const point of points) merged.set(point.timeMs, point);
    this.#replace(
      prefix,
      day,
      touched.map((block) => block.key),
      [...merged.values()],
    );
    for (const receivedDay of new Set(points.map((point) => dayOf(point.receivedMs)))) {
      const key = receiptKey(receivedDay, prefix, day);
      if (!this.#receipts.doesExist(key)) void this.#receipts.put(key, Buffer.alloc(0));
    }
  }

  #dropOld(prefix: Buffer, day: number, oldestMs: number): void {
    const start = blockKey(prefix, day, day * locationStoreLimits.dayMs);
    const blocks = [...this.#blocks.getRange({ start, end: dayEnd(prefix, day) })];
    for (const { key, value } of blocks) {
      const points = decodeLocationBlock(value);
      const kept = points.filter((point) => point.receivedMs > oldestMs);
      if (kept.length < points.length) this.#replace(prefix, day, [key], kept);
    }
  }

  #replace(prefix: Buffer, day: number, oldKeys: readonly Buffer[], points: readonly StoredPoint[]): void {
    const sorted = points.toSorted((a, b) => a.timeMs - b.timeMs);
    const written = new Set<string>();
    for (let at = 0; at < sorted.length; at += locationStoreLimits.blockPointsMax) {
      const block = sorted.slice(at, at + locationStoreLimits.blockPointsMax);
      const key = blockKey(prefix, day, block[0]!.timeMs);
      void this.#blocks.put(key, encodeLocationBlock(block));
      written.add(key.toString('latin1'));
    }
    for (const key of oldKeys) if (!written.has(key.toString('latin1'))) void this.#blocks.remove(key);
  }

  /** Key of the block of the same day that covers `timeMs`; undefined if all blocks start later. */
  #blockAt(prefix: Buffer, timeMs: number): Buffer | undefined {
    const day = dayOf(timeMs);
    const [key] = this.#blocks.getKeys({
      start: blockKey(prefix, day, timeMs),
      end: blockKey(prefix, day, day * locationStoreLimits.dayMs),
      inclusiveEnd: true,
      reverse: true,
      limit: 1,
    });
    return key;
  }

  /** The days of receipt that have points, found by seeking from one to the next. */
  *#receivedDays(): Generator<number> {
    for (let start: Buffer | undefined; ; ) {
      const [key] = this.#receipts.getKeys({ ...(start === undefined ? {} : { start }), limit: 1 });
      if (key === undefined) return;
      const { receivedDay } = parseReceiptKey(key);
      yield receivedDay;
      start = receiptPrefix(receivedDay + 1, Buffer.alloc(0));
    }
  }
}
