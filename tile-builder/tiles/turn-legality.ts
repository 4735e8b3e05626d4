import type { Scratch } from '#map-data/arrays/scratch.js';
import { closedBit, nodeFlag } from '#map-data/tiles/node-flag.js';
import type { TurnProfile } from '#map-data/tiles/turn-profile.js';
import { isTurningBack, mayGoOn } from '#map-data/tiles/turning-back.js';
import { FORBIDDEN_TURN, type NetworkArrays } from '#routing-engine/network/network-arrays.js';

/** Which turns are legal, whatever they cost: see `mayTurn`. */
export interface TurnLegality {
  readonly roads: Roads;
  /**
   * [N] bit `1 << mode` where something is forbidden to the mode; elsewhere it may go on from every edge to
   * every other.
   */
  readonly judged: Uint8Array;
  readonly nodeFlags: Uint8Array;
  /** [N] 1 where relations forbid turns. */
  readonly restricted: Uint8Array;
  /** By pair of edges in one number the modes that may not. */
  readonly forbiddenTo: ReadonlyMap<number, number>;
  /** [E] bit `1 << mode` where the mode may not turn back at the end of the edge. */
  readonly goesOn: Uint8Array;
}

type Roads = Pick<
  NetworkArrays,
  'firstOut' | 'firstIn' | 'inEdges' | 'head' | 'tail' | 'reverse' | 'copyOf' | 'speedKph' | 'flags'
>;

/**
 * The turns that `TurnTabulator` forbids, without its tables. `forbidden` are triples of edge, edge and
 * modes.
 */
export function turnLegality(
  turns: readonly TurnProfile[],
  roads: Roads,
  nodeFlags: Uint8Array,
  forbidden: Uint32Array,
  scratch: Scratch,
): TurnLegality {
  for (const { turnS, uturnS, signalS } of turns)
    if (10 * Math.max(uturnS, turnS + signalS) >= FORBIDDEN_TURN)
      throw new RangeError('a profile whose turns cost more than a turn table holds');
  const { head, tail, reverse } = roads;
  const forbiddenTo = new Map<number, number>();
  const judged = nodeFlags.map((flags) => closedModes(flags, turns.length));
  const restricted = scratch.uint8('restricted', nodeFlags.length).fill(0);
  for (let i = 0; i < forbidden.length; i += 3) {
    const turn = pairOf(head, forbidden[i], forbidden[i + 1]);
    const modes = forbidden[i + 2];
    forbiddenTo.set(turn, (forbiddenTo.get(turn) ?? 0) | modes);
    judged[tail[forbidden[i + 1]]] |= modes;
    restricted[tail[forbidden[i + 1]]] = 1;
  }
  const goesOn = scratch.uint8('goesOn', head.length).fill(0);
  const legality = { roads, judged, nodeFlags, restricted, forbiddenTo, goesOn };
  for (const [mode, { uturnsAtEndsOnly = false }] of turns.entries()) {
    if (!uturnsAtEndsOnly) continue;
    for (let edge = 0; edge < head.length; edge++) {
      const isTurningPlace = (nodeFlags[head[edge]] & nodeFlag.turningPlace) !== 0;
      if (reverse[edge] < 0 || isTurningPlace) continue;
      if (!mayGoOn(roads, mode, edge, (to) => isAllowed(legality, mode, edge, to))) continue;
      goesOn[edge] |= 1 << mode;
      judged[head[edge]] |= 1 << mode;
    }
  }
  return legality;
}

function closedModes(flags: number, modes: number): number {
  let closed = 0;
  for (let mode = 0; mode < modes; mode++) if ((flags & closedBit(mode)) !== 0) closed |= 1 << mode;
  return closed;
}

const pairOf = (head: Uint32Array, from: number, to: number): number => from * head.length + to;

export function mayTurn(legality: TurnLegality, mode: number, from: number, to: number): boolean {
  const { roads, judged, goesOn } = legality;
  if ((judged[roads.head[from]] & (1 << mode)) === 0) return true;
  if ((goesOn[from] & (1 << mode)) !== 0 && isTurningBack(roads, from, to)) return false;
  return isAllowed(legality, mode, from, to);
}

/** Turns forbidden by relations and barriers. At a closing barrier, turning back is legal. */
function isAllowed(
  { roads, nodeFlags, restricted, forbiddenTo }: TurnLegality,
  mode: number,
  from: number,
  to: number,
): boolean {
  const node = roads.head[from];
  if (restricted[node] === 1 && ((forbiddenTo.get(pairOf(roads.head, from, to)) ?? 0) & (1 << mode)) !== 0)
    return false;
  return (nodeFlags[node] & closedBit(mode)) === 0 || isTurningBack(roads, from, to);
}
