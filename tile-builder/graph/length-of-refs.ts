import { distanceM } from '#routing-engine/network/earth.js';
import type { PlacedExtract } from './match-roads.js';

/** Centimetres along the nodes of a way from one entry of `refs` to another. */
export function lengthCmOf(
  { extract: { nodeLngE7, nodeLatE7 }, nodeOf }: PlacedExtract,
  begin: number,
  end: number,
): number {
  let meters = 0;
  for (let i = begin + 1; i <= end; i++) {
    const a = nodeOf[i - 1];
    const b = nodeOf[i];
    if (a === b) continue;
    meters += distanceM(nodeLngE7[a] / 1e7, nodeLatE7[a] / 1e7, nodeLngE7[b] / 1e7, nodeLatE7[b] / 1e7);
  }
  return Math.max(1, Math.round(meters * 100));
}
