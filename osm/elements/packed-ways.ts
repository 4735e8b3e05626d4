import { VarintReader, VarintWriter } from '#map-data/tiles/varints.js';
import { growingFloat64, growingUint32 } from './growing-array.js';
import type { PlacedWays } from './placed-ways.js';

/** Ways in the order of a file, as differences: the nodes of most have consecutive ids, a byte each. */
export class PackedWays {
  readonly #out = new VarintWriter();
  #id = 0;
  #ref = 0;

  push(id: number, refs: ArrayLike<number>, isRoad: boolean): void {
    this.#out.signed(id - this.#id);
    this.#out.unsigned(2 * refs.length + Number(isRoad));
    for (let i = 0; i < refs.length; i++) {
      this.#out.signed(refs[i]! - this.#ref);
      this.#ref = refs[i]!;
    }
    this.#id = id;
  }

  /** The roads and the ways with these ids, in the order of the file; `roads`: the indices of the roads. */
  roadsAnd(
    ids: ReadonlySet<number>,
  ): Pick<PlacedWays, 'wayIds' | 'firstRef' | 'refs'> & { readonly roads: Uint32Array } {
    const wayIds = growingFloat64();
    const firstRef = growingUint32();
    const refs = growingFloat64();
    const roads = growingUint32();
    const packed = new VarintReader(this.#out.written());
    let id = 0;
    let ref = 0;
    while (!packed.isAtEnd()) {
      id += packed.signed();
      const head = packed.unsigned();
      const isRoad = head % 2 === 1;
      const isTaken = isRoad || ids.has(id);
      if (isRoad) roads.push(wayIds.length);
      if (isTaken) {
        wayIds.push(id);
        firstRef.push(refs.length);
      }
      for (let left = Math.floor(head / 2); left > 0; left--) {
        ref += packed.signed();
        if (isTaken) refs.push(ref);
      }
    }
    firstRef.push(refs.length);
    return {
      wayIds: wayIds.trimmed(),
      firstRef: firstRef.trimmed(),
      refs: refs.trimmed(),
      roads: roads.trimmed(),
    };
  }
}
