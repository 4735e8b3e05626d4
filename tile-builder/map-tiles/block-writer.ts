import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { type BlockEntry, blockKey } from './map-manifest.js';
import type { BlockBuilder } from './tile-block.js';

/** Puts finished blocks into the store, an equal one once, and keeps the list of them. */
export class BlockWriter {
  readonly entries: BlockEntry[] = [];
  bytes = 0;
  readonly #objects: ObjectStore;
  readonly #written = new Set<string>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** A block of an earlier map in which nothing has changed; it is in the store. */
  keep(entry: BlockEntry): void {
    this.entries.push(entry);
    if (this.#written.has(entry.sha256)) return;
    this.#written.add(entry.sha256);
    this.bytes += entry.bytes;
  }

  async write(name: string, builder: BlockBuilder): Promise<void> {
    const bytes = builder.finish();
    if (bytes === undefined) return;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    this.entries.push({ name, sha256, bytes: bytes.length, tiles: builder.tiles });
    if (this.#written.has(sha256)) return;
    this.#written.add(sha256);
    this.bytes += bytes.length;
    // Not only where it is absent: an object that was damaged since is made whole.
    await this.#objects.put(blockKey(sha256), bytes);
  }
}
