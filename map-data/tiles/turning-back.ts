import { endsOnlyBit } from '#routing-engine/network/edge-flags.js';
import type { NetworkArrays } from '#routing-engine/network/network-arrays.js';

type Roads = Pick<NetworkArrays, 'firstOut' | 'head' | 'reverse' | 'copyOf' | 'speedKph' | 'flags' | 'tail'>;

/** Whether the move from one edge to the other is a U-turn. */
export const isTurningBack = ({ reverse, copyOf }: Roads, from: number, to: number): boolean =>
  reverse[from] >= 0 && copyOf[to] === copyOf[reverse[from]];

/**
 * Whether a traveller on `from` has another move at its end than a U-turn. `mayGo`: whether signs and
 * barriers permit the move onto an edge. A road that is only for travellers who end there does not count for
 * all others.
 */
export function mayGoOn(roads: Roads, mode: number, from: number, mayGo: (to: number) => boolean): boolean {
  const { firstOut, head, tail, speedKph, flags } = roads;
  const node = head[from];
  const row = mode * tail.length;
  const endsOnly = endsOnlyBit(mode);
  const comesFromArea = (flags[from] & endsOnly) !== 0;
  for (let to = firstOut[node]; to < firstOut[node + 1]; to++) {
    if (speedKph[row + to] === 0 || isTurningBack(roads, from, to)) continue;
    if ((flags[to] & endsOnly) !== 0 && !comesFromArea) continue;
    if (mayGo(to)) return true;
  }
  return false;
}
