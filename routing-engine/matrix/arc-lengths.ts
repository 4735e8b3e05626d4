import type { RoadNetwork } from '../network/road-network.js';
import type { Metric } from '../overlay/metric.js';
import { unpackerOf } from '../search/unpack.js';
import type { OpenedCliques } from './opened-cliques.js';

/** Levels of a key: −1 to 14. */
const LEVELS = 16;

/** Metres of the steps across cells. Many paths of a matrix share a step, which is unpacked once. */
export class ArcLengths {
  readonly #network: RoadNetwork;
  readonly #metric: Metric;
  readonly #cliques: OpenedCliques;
  /** By open zone, then by step. */
  readonly #known = new Map<number, Map<number, number>>();
  readonly #edges: number[] = [];

  constructor(network: RoadNetwork, metric: Metric, cliques: OpenedCliques) {
    this.#network = network;
    this.#metric = metric;
    this.#cliques = cliques;
  }

  /** From the head of `from` to the head of `to`, two edges of the overlay. */
  metres(from: number, to: number, level: number, ms: number, zone: number): number {
    const known = this.#ofZone(level < 0 ? zone : 0);
    const crossing = this.#network.arrays.boundaryEdge.length;
    const key = (from * crossing + to) * LEVELS + level + 1;
    const before = known.get(key);
    if (before !== undefined) return before;
    const metres =
      level > 0 ? this.#overCells(from, to, level, ms, zone) : this.#overRoads(from, to, level, ms, zone);
    known.set(key, metres);
    return metres;
  }

  #overCells(from: number, to: number, level: number, ms: number, zone: number): number {
    const chain: number[] = [];
    const steps: number[] = [];
    unpackerOf(this.#network).stepsBelow(this.#metric, from, to, level, ms, chain, steps);
    let metres = 0;
    let last = from;
    for (const [at, edge] of chain.entries()) {
      metres += this.metres(last, edge, level - 1, steps[at], zone);
      last = edge;
    }
    return metres;
  }

  #overRoads(from: number, to: number, level: number, ms: number, zone: number): number {
    const edges = this.#edges;
    edges.length = 0;
    const unpacker = unpackerOf(this.#network);
    if (level < 0) unpacker.unpackOpened(this.#cliques.rules(zone), from, to, edges);
    else unpacker.unpack(this.#metric, from, to, level, ms, edges);
    let metres = 0;
    for (const edge of edges) metres += this.#network.edgeLengthM(edge);
    return metres;
  }

  /** Throws `CellsMissing` if the roads of some steps were not loaded. */
  finish(): void {
    unpackerOf(this.#network).finish();
  }

  #ofZone(zone: number): Map<number, number> {
    let known = this.#known.get(zone);
    if (known === undefined) {
      known = new Map();
      this.#known.set(zone, known);
    }
    return known;
  }
}
