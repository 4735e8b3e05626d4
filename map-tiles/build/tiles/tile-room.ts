import type { EncodedLayer } from '../../format/encode-vector-tile.js';

/**
 * A reused buffer in which layers are concatenated to a tile; each tile is packed before the next one is
 * built.
 */
export class TileRoom {
  #room = Buffer.allocUnsafeSlow(65_536);

  /** The bytes are valid until the next tile. */
  lay(layers: readonly EncodedLayer[]): Buffer {
    let length = 0;
    for (const { bytes } of layers) length += bytes.length;
    if (length > this.#room.length) this.#room = Buffer.allocUnsafeSlow(2 * length);
    let at = 0;
    for (const { bytes } of layers) {
      this.#room.set(bytes, at);
      at += bytes.length;
    }
    return this.#room.subarray(0, length);
  }
}
