import type { Gazetteer } from './gather-gazetteer.js';
import type { Place } from './gazetteer.js';
import type { IndexColumns } from './index-file.js';

/** Which areas lie around each row, the smallest first: few sets that many rows share. An area lies in larger ones alone. */
export function areaSets(
  { areas, boundaries }: Gazetteer,
  rowOf: ReadonlyMap<Place, number>,
  lngE7: Int32Array,
  latE7: Int32Array,
): Pick<IndexColumns, 'areaSet' | 'setFirst' | 'setArea'> {
  const own = new Map(boundaries.map(({ place }, area) => [rowOf.get(place)!, area]));
  const sets = new Map<string, number>();
  const setFirst = [0];
  const setArea: number[] = [];
  const areaSet = new Uint32Array(lngE7.length);
  for (let row = 0; row < lngE7.length; row++) {
    const ownArea = own.get(row) ?? -1;
    const around = areas.at(lngE7[row], latE7[row]).filter((area) => area > ownArea);
    const name = around.join();
    let set = sets.get(name);
    if (set === undefined) {
      set = sets.size;
      sets.set(name, set);
      setArea.push(...around);
      setFirst.push(setArea.length);
    }
    areaSet[row] = set;
  }
  return { areaSet, setFirst: Uint32Array.from(setFirst), setArea: Uint32Array.from(setArea) };
}
