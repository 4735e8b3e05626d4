import { FORBIDDEN_TURN } from '#routing-engine/network-arrays.js';
import type { TurnProfile } from '../profiles/profile.js';
import type { NetworkUnderAssembly } from './network-under-assembly.js';
import { sharedUint8, sharedUint16, sharedUint32 } from './network-under-assembly.js';

const SIGNAL = 8;

export interface TurnTables {
  readonly firstIn: Uint32Array;
  readonly inEdges: Uint32Array;
  readonly inRank: Uint16Array;
  readonly turnTable: Uint32Array;
  readonly turnCostsDs: Uint8Array;
}

/** In-edges of every node, and for every node and mode what each turn costs. Equal tables are stored once. */
export function tabulateTurns(
  network: NetworkUnderAssembly,
  turns: readonly TurnProfile[],
  drivingSide: 'right' | 'left',
): TurnTables {
  const { firstOut, head, reverse, bearingIn, bearingOut, nodeFlags } = network;
  const nodeCount = firstOut.length - 1;
  const edgeCount = head.length;
  const firstIn = sharedUint32(nodeCount + 1);
  const inEdges = sharedUint32(edgeCount);
  const inRank = sharedUint16(edgeCount);
  for (let edge = 0; edge < edgeCount; edge++) firstIn[head[edge] + 1]++;
  for (let node = 0; node < nodeCount; node++) firstIn[node + 1] += firstIn[node];
  const arrived = firstIn.slice(0, nodeCount);
  for (let edge = 0; edge < edgeCount; edge++) {
    inRank[edge] = arrived[head[edge]] - firstIn[head[edge]];
    inEdges[arrived[head[edge]]++] = edge;
  }

  const forbiddenAt = new Map<number, number[]>();
  for (let i = 0; i < network.forbidden.length; i += 4) {
    const node = network.forbidden[i];
    if (
      network.forbidden[i + 1] >= firstIn[node + 1] - firstIn[node] ||
      network.forbidden[i + 2] >= firstOut[node + 1] - firstOut[node]
    )
      throw new RangeError('a turn between roads that are not there');
    const list = forbiddenAt.get(node);
    if (list === undefined) forbiddenAt.set(node, [i]);
    else list.push(i);
  }

  const turnTable = sharedUint32(turns.length * nodeCount);
  const pool = new TablePool();
  const scratch = new Uint8Array(maxTable(firstIn, firstOut));
  for (const [mode, turn] of turns.entries()) {
    const byAngle = costsByAngle(turn, drivingSide);
    const uturnDs = Math.round(turn.uturnS * 10);
    for (let node = 0; node < nodeCount; node++) {
      const out = firstOut[node + 1] - firstOut[node];
      const roads = roadsThere(network, firstIn, inEdges, node, mode);
      const signalDs = (nodeFlags[node] & SIGNAL) === 0 ? 0 : Math.round(turn.signalS * 10);
      const closed = (nodeFlags[node] & (1 << mode)) !== 0;
      let at = 0;
      for (let i = firstIn[node]; i < firstIn[node + 1]; i++) {
        const from = inEdges[i];
        for (let to = firstOut[node]; to < firstOut[node + 1]; to++) {
          const uturn = reverse[from] >= 0 && network.copyOf[to] === network.copyOf[reverse[from]];
          let cost = signalDs;
          if (uturn) cost = uturnDs;
          else if (closed) cost = FORBIDDEN_TURN;
          else if (roads > 2) cost += byAngle[(bearingOut[to] - bearingIn[from]) & 255];
          scratch[at++] = Math.min(FORBIDDEN_TURN, cost);
        }
      }
      for (const i of forbiddenAt.get(node) ?? [])
        if ((network.forbidden[i + 3] & (1 << mode)) !== 0)
          scratch[network.forbidden[i + 1] * out + network.forbidden[i + 2]] = FORBIDDEN_TURN;
      turnTable[mode * nodeCount + node] = pool.place(scratch, at);
    }
  }
  return { firstIn, inEdges, inRank, turnTable, turnCostsDs: pool.bytes() };
}

/** Roads that the mode can use at a node, whatever their direction: two make no crossing. */
function roadsThere(
  { firstOut, speedKph, tail, reverse }: NetworkUnderAssembly,
  firstIn: Uint32Array,
  inEdges: Uint32Array,
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

function maxTable(firstIn: Uint32Array, firstOut: Uint32Array): number {
  let most = 1;
  for (let node = 0; node + 1 < firstOut.length; node++)
    most = Math.max(most, (firstIn[node + 1] - firstIn[node]) * (firstOut[node + 1] - firstOut[node]));
  return most;
}

/** Tenths of a second by change of direction in 256ths of a turn, clockwise: OSRM's sigmoid, dearer across oncoming traffic. */
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
    const bytes = sharedUint8(this.#length);
    bytes.set(this.#bytes.subarray(0, this.#length));
    return bytes;
  }

  #equals(start: number, table: Uint8Array, length: number): boolean {
    for (let i = 0; i < length; i++) if (this.#bytes[start + i] !== table[i]) return false;
    return true;
  }
}
