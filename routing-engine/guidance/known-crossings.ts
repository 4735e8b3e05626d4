import { limits } from '../network/limits.js';
import { perNetwork } from '../network/per-network.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { ManeuverKind } from './maneuver.js';

const known = perNetwork((): KnownCrossings[] => []);

/** What was found at crossings of a network, in one mode: routes pass the same ones repeatedly. */
export function knownCrossings(network: RoadNetwork, mode: TravelMode): KnownCrossings {
  const byMode = known(network);
  const crossings = byMode[modeIndex(mode)] ?? new KnownCrossings(network);
  byMode[modeIndex(mode)] = crossings;
  return crossings;
}

/** More edges than come in at any crossing; pairs beyond are not kept. */
const ranksMax = 256;

export class KnownCrossings {
  readonly #inRank: Uint16Array;
  readonly #said = new Map<number, ManeuverKind | null>();
  /** By edge, a bit for each of the first eight edges that come in at its tail: see `isSilent`. */
  readonly #silent: Uint8Array;
  /** By edge: 1 if nobody turns round over it. */
  readonly #noPiece: Uint8Array;

  constructor({ arrays, edgeCount }: RoadNetwork) {
    this.#inRank = arrays.inRank;
    this.#silent = new Uint8Array(edgeCount);
    this.#noPiece = new Uint8Array(edgeCount);
  }

  /**
   * Whether a driver needs no instruction from one edge to the next, whatever comes then. Most crossings of a
   * route are such, and a bit is found faster than an object.
   */
  isSilent(from: number, to: number): boolean {
    const rank = this.#inRank[from];
    return rank < 8 && (this.#silent[to] & (1 << rank)) !== 0;
  }

  /** To be called where there is nothing to say between two edges, and no crossing in pieces can begin. */
  setSilent(from: number, to: number): void {
    const rank = this.#inRank[from];
    if (rank < 8 && this.#noPiece[to] === 1) this.#silent[to] |= 1 << rank;
  }

  maneuver(from: number, to: number, find: () => ManeuverKind | undefined): ManeuverKind | undefined {
    const rank = this.#inRank[from];
    if (rank >= ranksMax) return find();
    const key = to * ranksMax + rank;
    const seen = this.#said.get(key);
    if (seen !== undefined) return seen === null ? undefined : seen;
    const kind = find();
    if (this.#said.size === limits.crossingsKept) this.#said.clear();
    this.#said.set(key, kind ?? null);
    return kind;
  }

  /** Whether drivers may turn round over an edge. */
  mayBePiece(edge: number): boolean {
    return this.#noPiece[edge] === 0;
  }

  setNoPiece(edge: number): void {
    this.#noPiece[edge] = 1;
  }
}
