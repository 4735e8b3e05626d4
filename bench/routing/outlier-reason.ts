import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { RawMap } from './raw-map.js';
import { stepsOf } from './raw-steps.js';

/** Why another engine's route differs from ours, found from the OpenStreetMap nodes along it. */
export type OutlierReason =
  | { readonly kind: 'ours is faster'; readonly byS: number }
  | { readonly kind: 'road closed to cars'; readonly nodes: string }
  | { readonly kind: 'turn forbidden'; readonly nodes: string }
  | { readonly kind: 'passes through a private area'; readonly nodes: string }
  /** It begins or ends on another road than the one nearest to the place. */
  | { readonly kind: 'other road at an end' }
  | { readonly kind: 'unexplained'; readonly slowerByS: number };

/** Finds the reason on our network: is their route open to us, and how long does it take at our speeds? */
export class OutlierReasons {
  readonly #network: RoadNetwork;
  readonly #metric: Metric;
  /** Edge by the surveyed nodes of each of its steps. */
  readonly #edgeOf = new Map<string, number>();

  constructor(network: RoadNetwork, metric: Metric, map: RawMap) {
    this.#network = network;
    this.#metric = metric;
    for (let edge = 0; edge < network.edgeCount; edge++) {
      if (network.arrays.copyOf[edge] !== edge || network.freeFlowKph(edge, metric.mode) === 0) continue;
      for (const { from, to } of stepsOf(map, network.edgeId(edge)) ?? [])
        this.#edgeOf.set(`${from} ${to}`, edge);
    }
  }

  reason(nodes: readonly number[], ourEdges: Uint32Array, ourMs: number): OutlierReason {
    const network = this.#network;
    const edges: number[] = [];
    for (let i = 1; i < nodes.length; i++) {
      const edge = this.#edgeOf.get(`${nodes[i - 1]} ${nodes[i]}`);
      if (edge === undefined) return { kind: 'road closed to cars', nodes: `${nodes[i - 1]}–${nodes[i]}` };
      if (edges.at(-1) !== edge) edges.push(edge);
    }
    if (edges.length === 0) return { kind: 'other road at an end' };
    const zoneOf = (edge: number): number => network.arrays.zone[edge]!;
    const own = new Set([0, zoneOf(ourEdges[0]!), zoneOf(ourEdges.at(-1)!)]);
    // Neither side counts the ends completely: the engines chose what is between them.
    let ms = 0;
    for (let i = 0; i < edges.length; i++) {
      const edge = edges[i]!;
      if (!own.has(zoneOf(edge)))
        return { kind: 'passes through a private area', nodes: network.edgeId(edge) };
      if (i > 0 && i < edges.length - 1) ms += this.#metric.costMs[edge]!;
      if (i === 0) continue;
      const turn = turnDs(network, this.#metric.mode, edges[i - 1]!, edge);
      if (turn === undefined)
        return { kind: 'turn forbidden', nodes: `${network.edgeId(edges[i - 1]!)} ${network.edgeId(edge)}` };
      ms += 100 * turn;
    }
    const { piece } = network.arrays;
    const sameEnds =
      piece[edges[0]!] === piece[ourEdges[0]!] && piece[edges.at(-1)!] === piece[ourEdges.at(-1)!];
    if (ms >= ourMs) return { kind: 'ours is faster', byS: Math.round((ms - ourMs) / 1_000) };
    if (!sameEnds) return { kind: 'other road at an end' };
    // Their route may be faster at our speeds by at most the two cut ends; exactness excludes more.
    const ends = this.#metric.costMs[edges[0]!]! + this.#metric.costMs[edges.at(-1)!]!;
    if (ms + ends >= ourMs) return { kind: 'ours is faster', byS: 0 };
    return { kind: 'unexplained', slowerByS: Math.round((ourMs - ms - ends) / 1_000) };
  }
}
