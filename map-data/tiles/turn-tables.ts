import { FORBIDDEN_TURN, type NetworkArrays } from '#routing-engine/network/network-arrays.js';
import { closedBit, nodeFlag } from './node-flag.js';
import type { TurnProfile } from './turn-profile.js';
import { isTurningBack, mayGoOn } from './turning-back.js';

export interface TurnRules {
  /** By mode. */
  readonly turns: readonly TurnProfile[];
  readonly drivingSide: 'right' | 'left';
}

/** The exceptions at the crossings of a cell. */
export interface CellCrossings {
  readonly firstNode: number;
  readonly endNode: number;
  /** By node of the cell: see `nodeFlag`. */
  readonly nodeFlags: Uint8Array;
  /** Quadruples: node of the cell, rank among its in-edges, rank among its out-edges, modes. */
  readonly forbidden: readonly number[];
}

type Roads = Pick<
  NetworkArrays,
  | 'firstOut'
  | 'firstIn'
  | 'inEdges'
  | 'reverse'
  | 'copyOf'
  | 'bearingIn'
  | 'bearingOut'
  | 'speedKph'
  | 'flags'
  | 'head'
  | 'tail'
>;

/** Computes the turn tables of cells, one after the other: the cost of each turn by node and mode. */
export class TurnTabulator {
  /** By mode: tenths of a second by change of direction. */
  readonly #byAngle: readonly Uint8Array[];
  readonly #turns: readonly TurnProfile[];
  readonly #pool = new TablePool();
  #scratch = new Uint8Array(1024);

  constructor({ turns, drivingSide }: TurnRules) {
    this.#turns = turns;
    this.#byAngle = turns.map((turn) => costsByAngle(turn, drivingSide));
  }

  /**
   * Calls `place` for each mode and node with the start of its table among the bytes that it returns; these
   * hold until the next call. Equal tables of the cell are stored once. Throws a RangeError for a turn
   * between roads that do not exist.
   */
  tabulate(
    roads: Roads,
    crossings: CellCrossings,
    place: (mode: number, node: number, start: number) => void,
  ): Uint8Array {
    const { firstOut, firstIn } = roads;
    const { firstNode, endNode, forbidden } = crossings;
    const forbiddenAt = new Map<number, number[]>();
    for (let i = 0; i < forbidden.length; i += 4) {
      const node = firstNode + forbidden[i];
      if (
        node >= endNode ||
        forbidden[i + 1] >= firstIn[node + 1] - firstIn[node] ||
        forbidden[i + 2] >= firstOut[node + 1] - firstOut[node]
      )
        throw new RangeError('a turn between roads that are not there');
      const list = forbiddenAt.get(node);
      if (list === undefined) forbiddenAt.set(node, [i]);
      else list.push(i);
    }
    this.#pool.clear();
    for (const mode of this.#turns.keys())
      for (let node = firstNode; node < endNode; node++) {
        const length = this.#fillTable(roads, crossings, mode, node);
        const out = firstOut[node + 1] - firstOut[node];
        for (const i of forbiddenAt.get(node) ?? [])
          if ((forbidden[i + 3] & (1 << mode)) !== 0)
            this.#scratch[forbidden[i + 1] * out + forbidden[i + 2]] = FORBIDDEN_TURN;
        const isTurningPlace = (crossings.nodeFlags[node - firstNode] & nodeFlag.turningPlace) !== 0;
        if (this.#turns[mode].uturnsAtEndsOnly === true && !isTurningPlace)
          this.#forbidUturns(roads, mode, node);
        place(mode, node, this.#pool.place(this.#scratch, length));
      }
    return this.#pool.bytes();
  }

  /** In the current table, which has all other forbidden turns. */
  #forbidUturns(roads: Roads, mode: number, node: number): void {
    const { firstOut, firstIn, inEdges, reverse } = roads;
    const first = firstOut[node];
    const table = this.#scratch;
    let row = -first;
    for (let i = firstIn[node]; i < firstIn[node + 1]; i++, row += firstOut[node + 1] - first) {
      const from = inEdges[i];
      if (reverse[from] < 0 || !mayGoOn(roads, mode, from, (to) => table[row + to] !== FORBIDDEN_TURN))
        continue;
      for (let to = first; to < firstOut[node + 1]; to++)
        if (isTurningBack(roads, from, to)) table[row + to] = FORBIDDEN_TURN;
    }
  }

  #fillTable(roads: Roads, { firstNode, nodeFlags }: CellCrossings, mode: number, node: number): number {
    const { firstOut, firstIn, inEdges, bearingIn, bearingOut } = roads;
    const turn = this.#turns[mode];
    const byAngle = this.#byAngle[mode];
    const length = (firstIn[node + 1] - firstIn[node]) * (firstOut[node + 1] - firstOut[node]);
    if (length > this.#scratch.length) this.#scratch = new Uint8Array(2 * length);
    const uturnDs = Math.round(turn.uturnS * 10);
    const flags = nodeFlags[node - firstNode];
    const signalDs = (flags & nodeFlag.signal) === 0 ? 0 : Math.round(turn.signalS * 10);
    const closed = (flags & closedBit(mode)) !== 0;
    const roadCount = roadsThere(roads, node, mode);
    let at = 0;
    for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
      const from = inEdges[i];
      for (let to = firstOut[node]; to < firstOut[node + 1]; to++) {
        let cost = signalDs;
        if (isTurningBack(roads, from, to)) cost = uturnDs;
        else if (closed) cost = FORBIDDEN_TURN;
        else if (roadCount > 2) cost += byAngle[(bearingOut[to] - bearingIn[from]) & 255];
        this.#scratch[at++] = Math.min(FORBIDDEN_TURN, cost);
      }
    }
    return length;
  }
}

/** Roads that the mode can use at a node, whatever their direction: two are not a crossing. */
function roadsThere(
  { firstOut, firstIn, inEdges, speedKph, tail, reverse }: Roads,
  node: number,
  mode: number,
): number {
  const offset = mode * tail.length;
  let roads = 0;
  for (let edge = firstOut[node]; edge < firstOut[node + 1]; edge++) if (speedKph[offset + edge] > 0) roads++;
  for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
    const edge = inEdges[i];
    if (speedKph[offset + edge] > 0 && (reverse[edge] < 0 || speedKph[offset + reverse[edge]] === 0)) roads++;
  }
  return roads;
}

/**
 * Tenths of a second by change of direction in 256ths of a turn, clockwise: OSRM's sigmoid, with a higher
 * cost across oncoming traffic.
 */
function costsByAngle({ turnS, acrossBias }: TurnProfile, drivingSide: 'right' | 'left'): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, change) => {
    const signed = change < 128 ? change : change - 256;
    const degrees = (Math.abs(signed) * 360) / 256;
    const across = signed > 0 === (drivingSide === 'left');
    const bias = across ? 1 / acrossBias : acrossBias;
    const share = 1 / (1 + Math.exp(-(((13 / bias) * degrees) / 180 - 6.5 * bias)));
    return Math.min(FORBIDDEN_TURN - 1, Math.round(turnS * 10 * share));
  });
}

/** Appends byte strings and gives each distinct one a single place. */
class TablePool {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;
  readonly #byHash = new Map<number, number[]>();

  clear(): void {
    this.#length = 0;
    this.#byHash.clear();
  }

  place(table: Uint8Array, length: number): number {
    let hash = length;
    for (let i = 0; i < length; i++) hash = (Math.imul(hash, 31) + table[i]) | 0;
    const candidates = this.#byHash.get(hash);
    for (let i = 0; candidates !== undefined && i < candidates.length; i += 2)
      if (candidates[i + 1] === length && this.#equals(candidates[i], table, length)) return candidates[i];
    while (this.#length + length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    const start = this.#length;
    for (let i = 0; i < length; i++) this.#bytes[this.#length++] = table[i];
    if (candidates === undefined) this.#byHash.set(hash, [start, length]);
    else candidates.push(start, length);
    return start;
  }

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #equals(start: number, table: Uint8Array, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== table[i]) return false;
    return true;
  }
}
