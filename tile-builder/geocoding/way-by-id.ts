import type { TaggedWay } from '../osm/map-elements.js';

/** By id, in which they are ordered. */
export function wayById(ways: readonly TaggedWay[], id: number): TaggedWay | undefined {
  let low = 0;
  let high = ways.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ways[middle].id < id) low = middle + 1;
    else high = middle;
  }
  return ways[low]?.id === id ? ways[low] : undefined;
}
