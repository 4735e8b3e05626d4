import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { BlockBuffers } from '../../format/block-buffers.js';
import { type BlockEntry, blockKey } from '../../format/map-manifest.js';
import { type BlockBuilder, TileBlock } from '../../format/tile-block.js';
import type { OpenBlocks } from './map-session.js';

/** Puts finished blocks into the store, an equal one once. */
export class BlockWriter {
  readonly #objects: ObjectStore;
  readonly #open: OpenBlocks | undefined;
  readonly #memory: BlockBuffers | undefined;
  readonly #written = new Set<string>();

  /**
   * @param open cache of written blocks.
   * @param memory memory of blocks.
   */
  constructor(objects: ObjectStore, open?: OpenBlocks, memory?: BlockBuffers) {
    this.#objects = objects;
    this.#open = open;
    this.#memory = memory;
  }

  /** Undefined for a block without tiles. */
  async write(name: string, builder: BlockBuilder): Promise<BlockEntry | undefined> {
    const bytes = builder.finish(this.#memory);
    if (bytes === undefined) return undefined;
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    if (!this.#written.has(sha256)) {
      this.#written.add(sha256);
      // Written even if it exists, which repairs a damaged object.
      await this.#objects.put(blockKey(sha256), bytes);
      this.#open?.set(sha256, TileBlock.from(builder.kind, bytes));
    }
    return { name, sha256, bytes: bytes.length, tiles: builder.tiles };
  }
}
