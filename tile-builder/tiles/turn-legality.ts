import { FORBIDDEN_TURN, type NetworkArrays } from '#routing-engine/network-arrays.js';
import type { TurnProfile } from '../profiles/profile.js';

/** Where one may go on from one edge to another, whatever it costs: see `mayTurn`. */
export interface TurnLegality extends Roads {
  /** [N] 1 where something is forbidden; elsewhere one may go on from every edge to every other. */
  readonly judged: Uint8Array;
  readonly nodeFlags: Uint8Array;
  /** By pair of edges in one number the modes that may not. */
  readonly forbiddenTo: ReadonlyMap<number, number>;
}

type Roads = Pick<NetworkArrays, 'head' | 'tail' | 'reverse' | 'copyOf'>;

/** What `TurnTabulator` forbids, without its tables. `forbidden` are triples of edge, edge and modes. */
export function turnLegality(
  turns: readonly TurnProfile[],
  { head, tail, reverse, copyOf }: Roads,
  nodeFlags: Uint8Array,
  forbidden: Uint32Array,
): TurnLegality {
  for (const { turnS, uturnS, signalS } of turns)
    if (10 * Math.max(uturnS, turnS + signalS) >= FORBIDDEN_TURN)
      throw new RangeError('a profile whose turns cost more than a turn table holds');
  const modesOf = new Map<number, number>();
  const judged = nodeFlags.map((flags) => ((flags & 7) === 0 ? 0 : 1));
  for (let i = 0; i < forbidden.length; i += 3) {
    const turn = pairOf(head, forbidden[i], forbidden[i + 1]);
    modesOf.set(turn, (modesOf.get(turn) ?? 0) | forbidden[i + 2]);
    judged[tail[forbidden[i + 1]]] = 1;
  }
  return { head, tail, reverse, copyOf, judged, nodeFlags, forbiddenTo: modesOf };
}

const pairOf = (head: Uint32Array, from: number, to: number): number => from * head.length + to;

export function mayTurn(
  { head, reverse, copyOf, judged, nodeFlags, forbiddenTo }: TurnLegality,
  mode: number,
  from: number,
  to: number,
): boolean {
  const node = head[from];
  if (judged[node] === 0) return true;
  if (((forbiddenTo.get(pairOf(head, from, to)) ?? 0) & (1 << mode)) !== 0) return false;
  if ((nodeFlags[node] & (1 << mode)) === 0) return true;
  // Where a barrier closes the way, one may turn back.
  return reverse[from] >= 0 && copyOf[to] === copyOf[reverse[from]];
}
