import KDBush from 'kdbush';
import type { IndexColumns } from '../../index/index-file.js';
import { placeKinds } from '../../index/place-identity.js';

const street = placeKinds.indexOf('street');

/**
 * A tree over all points; streets are found by the road network. It is reused while no point is added,
 * removed or moved.
 */
export class PointMemory {
  #pointRow = new Uint32Array();
  #lngLatE7 = new Int32Array();
  #pointTree = new Uint8Array();

  of(kind: Uint8Array, lngE7: Int32Array, latE7: Int32Array): Pick<IndexColumns, 'pointRow' | 'pointTree'> {
    let count = 0;
    for (let row = 0; row < kind.length; row++) if (kind[row] !== street) count++;
    let isSame = count === this.#pointRow.length;
    if (!isSame) [this.#pointRow, this.#lngLatE7] = [new Uint32Array(count), new Int32Array(2 * count)];
    const [pointRow, lngLatE7] = [this.#pointRow, this.#lngLatE7];
    let at = 0;
    for (let row = 0; row < kind.length; row++) {
      if (kind[row] === street) continue;
      if (lngLatE7[2 * at] !== lngE7[row] || lngLatE7[2 * at + 1] !== latE7[row]) isSame = false;
      lngLatE7[2 * at] = lngE7[row]!;
      lngLatE7[2 * at + 1] = latE7[row]!;
      pointRow[at++] = row;
    }
    if (!isSame) this.#pointTree = treeOf(lngLatE7);
    return { pointRow, pointTree: this.#pointTree };
  }
}

function treeOf(lngLatE7: Int32Array): Uint8Array<ArrayBuffer> {
  if (lngLatE7.length === 0) return new Uint8Array();
  const tree = new KDBush(lngLatE7.length / 2, 64, Int32Array);
  for (let i = 0; i < lngLatE7.length; i += 2) tree.add(lngLatE7[i]!, lngLatE7[i + 1]!);
  tree.finish();
  return new Uint8Array(tree.data as ArrayBuffer);
}
