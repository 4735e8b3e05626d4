import { lowerBound } from '#map-data/arrays/lower-bound.js';
import { VarintReader, VarintWriter } from '#map-data/tiles/varints.js';
import { growingFloat64, growingInt32 } from './growing-array.js';
import type { NodeColumns } from './placed-ways.js';
import { sortNodes } from './sort-nodes.js';

/** Nodes in the order of a file, as differences: five to seven bytes each, where columns need sixteen. */
export class PackedNodes {
  readonly #out = new VarintWriter();
  #id = 0;
  #lngE7 = 0;
  #latE7 = 0;
  #ascending = true;

  push(id: number, lngE7: number, latE7: number): void {
    if (this.#out.length > 0 && id <= this.#id) this.#ascending = false;
    this.#out.signed(id - this.#id);
    this.#out.signed(lngE7 - this.#lngE7);
    this.#out.signed(latE7 - this.#latE7);
    this.#id = id;
    this.#lngE7 = lngE7;
    this.#latE7 = latE7;
  }

  /** The nodes with one of these ids, which ascend and may repeat; ascending by id. */
  withIds(ids: Float64Array): NodeColumns {
    const nodeIds = growingFloat64();
    const lngs = growingInt32();
    const lats = growingInt32();
    const packed = new VarintReader(this.#out.written());
    let id = 0;
    let lngE7 = 0;
    let latE7 = 0;
    let at = 0;
    while (!packed.isAtEnd()) {
      id += packed.signed();
      lngE7 += packed.signed();
      latE7 += packed.signed();
      if (this.#ascending) while (at < ids.length && ids[at]! < id) at++;
      else at = lowerBound(ids, id);
      if (ids[at] !== id) continue;
      nodeIds.push(id);
      lngs.push(lngE7);
      lats.push(latE7);
    }
    const nodes = { nodeIds: nodeIds.trimmed(), nodeLngE7: lngs.trimmed(), nodeLatE7: lats.trimmed() };
    return this.#ascending ? nodes : sortNodes(nodes);
  }
}
