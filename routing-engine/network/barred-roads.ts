import { LRUCache } from 'lru-cache';
import { perNetwork } from './per-network.js';
import type { RoadNetwork } from './road-network.js';
import { exceeds, measures, type Vehicle } from './vehicle.js';

/** Vehicles whose roads are kept, by network in each thread. */
const vehiclesKept = 8;

/** The edges that a vehicle is too large or heavy for, or that forbid its load. */
export class BarredRoads {
  /** Cells of level 0 that have such an edge: their cliques hold for smaller vehicles only. */
  readonly cells: ReadonlySet<number>;
  /** [E/8] a bit for each edge that may not be entered. */
  readonly #entered: Uint8Array;
  /** [E/8] a bit for each edge that may not be used either from its middle on. */
  readonly #whole: Uint8Array;

  constructor(network: RoadNetwork, vehicle: Vehicle) {
    this.#entered = new Uint8Array((network.edgeCount >>> 3) + 1);
    this.#whole = new Uint8Array((network.edgeCount >>> 3) + 1);
    const cells = new Set<number>();
    for (const row of network.meta.limits) {
      if (!exceeds(vehicle, row)) continue;
      for (const edge of row.edges) {
        cells.add(network.edgeCell(edge));
        this.#entered[edge >>> 3]! |= 1 << (edge & 7);
        if (!row.atTail) this.#whole[edge >>> 3]! |= 1 << (edge & 7);
      }
    }
    this.cells = cells;
  }

  /** Whether the vehicle may not come onto the edge at its tail. */
  has(edge: number): boolean {
    return (this.#entered[edge >>> 3]! & (1 << (edge & 7))) !== 0;
  }

  /** Whether it may not be on the edge at all: otherwise it may begin there. */
  hasWhole(edge: number): boolean {
    return (this.#whole[edge >>> 3]! & (1 << (edge & 7))) !== 0;
  }
}

const known = perNetwork(() => new LRUCache<string, BarredRoads>({ max: vehiclesKept }));

/** Undefined if every road admits the vehicle, or no vehicle is given. */
export function barredTo(network: RoadNetwork, vehicle: Vehicle | undefined): BarredRoads | undefined {
  if (vehicle === undefined || network.meta.limits.length === 0) return undefined;
  const ofNetwork = known(network);
  const key = `${measures.map((measure) => vehicle[measure]).join()},${vehicle.hazmat}`;
  let roads = ofNetwork.get(key);
  if (roads === undefined) {
    roads = new BarredRoads(network, vehicle);
    ofNetwork.set(key, roads);
  }
  return roads.cells.size === 0 ? undefined : roads;
}
