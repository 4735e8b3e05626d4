import { FORBIDDEN_TURN, type NetworkArrays } from '#routing-engine/network-arrays.js';
import type { TurnProfile } from '../profiles/profile.js';

/** Whether one may go on from one edge to another, whatever it costs. */
export interface TurnLegality {
  /** [N] 1 where something is forbidden; elsewhere one may go on from every edge to every other. */
  readonly judged: Uint8Array;
  allowed(mode: number, from: number, to: number): boolean;
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
  const turnOf = (from: number, to: number): number => from * head.length + to;
  for (let i = 0; i < forbidden.length; i += 3) {
    const turn = turnOf(forbidden[i], forbidden[i + 1]);
    modesOf.set(turn, (modesOf.get(turn) ?? 0) | forbidden[i + 2]);
    judged[tail[forbidden[i + 1]]] = 1;
  }
  return {
    judged,
    allowed(mode, from, to) {
      const node = head[from];
      if (judged[node] === 0) return true;
      if (((modesOf.get(turnOf(from, to)) ?? 0) & (1 << mode)) !== 0) return false;
      if ((nodeFlags[node] & (1 << mode)) === 0) return true;
      // Where a barrier closes the way, one may turn back.
      return reverse[from] >= 0 && copyOf[to] === copyOf[reverse[from]];
    },
  };
}
