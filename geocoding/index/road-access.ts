import { lowerBound } from '#map-data/arrays/lower-bound.js';
import { CellsMissing } from '#routing-engine/network/cells-missing.js';
import { metersPerDegree, metersPerLngDegree } from '#routing-engine/network/earth.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, type TravelMode } from '#routing-engine/network/travel-mode.js';
import { Projection, projectInto } from '#routing-engine/snap/project.js';
import type { CellId } from '#schemas/units.js';
import type { GeocodeIndex } from './geocode-index.js';
import { NOTHING } from './index-file.js';
import { indexedAs, indexedModes } from './indexed-modes.js';

const sides = ['on', 'left', 'right'] as const;
/** Bit of `accessSide`: the mode goes against the way's drawn direction. */
export const AGAINST = 4;
/** Maximum distance between a way of the network and that of the index; farther away it is another one. */
const apartMaxM = 3;

/** The access point of a place for a mode: an edge of the network, the share of its length, and the side. */
export interface Access {
  readonly edge: number;
  readonly fraction: number;
  readonly side: (typeof sides)[number];
}

/**
 * The edges by which the places of an index are reached. The index names ways of OpenStreetMap and positions
 * on them, which a change elsewhere does not affect. Edges are looked up when a place is requested, and
 * cached.
 */
export class RoadAccess {
  readonly #index: GeocodeIndex;
  readonly #network: RoadNetwork;
  /** By row and mode: 0 not requested yet, 1 + edge, or `NOTHING` where the network lacks it. */
  readonly #edge: Uint32Array;
  readonly #fraction: Float32Array;

  constructor(index: GeocodeIndex, network: RoadNetwork) {
    this.#index = index;
    this.#network = network;
    this.#edge = new Uint32Array(index.data.access.length);
    this.#fraction = new Float32Array(index.data.access.length);
  }

  /** Undefined without a road of the mode within a kilometre. Throws `CellsMissing` as the network does. */
  to(row: number, mode: TravelMode): Access | undefined {
    const { data } = this.#index;
    const access = this.#index.access(row, mode);
    if (access === NOTHING) return undefined;
    const at = indexedModes.length * row + indexedModes.indexOf(indexedAs(mode));
    if (this.#edge[at] === 0) this.#find(at, access, indexedAs(mode));
    const edge = this.#edge[at];
    if (edge === NOTHING) return undefined;
    return { edge: edge - 1, fraction: this.#fraction[at], side: sides[data.accessSide[access] & 3] };
  }

  #find(at: number, access: number, mode: TravelMode): void {
    const { data } = this.#index;
    const network = this.#network;
    const { wayId, flags, speedKph } = network.arrays;
    const way = data.wayId[data.accessWay[access]];
    const against = (data.accessSide[access] & AGAINST) === 0 ? 0 : edgeFlag.against;
    const lngE7 = data.accessLngE7[access];
    const latE7 = data.accessLatE7[access];
    const perLat = metersPerDegree / 1e7;
    const perLng = metersPerLngDegree(latE7 / 1e7) / 1e7;
    const place = new Projection();
    let best = apartMaxM ** 2;
    this.#edge[at] = NOTHING;
    for (const cell of cellsOfWay(network, way)) {
      const [first, end] = network.cellEdges(cell);
      for (let edge = first; edge < end; edge++) {
        if (wayId[edge] !== way || (flags[edge] & (edgeFlag.against | edgeFlag.copy)) !== against) continue;
        if (speedKph[modeIndex(mode) * network.edgeCount + edge] === 0) continue;
        projectInto(place, network, edge, lngE7, latE7, perLng, perLat);
        if (place.squareM >= best) continue;
        best = place.squareM;
        this.#edge[at] = edge + 1;
        this.#fraction[at] = place.fraction;
      }
    }
  }
}

function cellsOfWay({ arrays }: RoadNetwork, way: number): CellId[] {
  const { wayIds, wayCells, loaded } = arrays;
  const cells: CellId[] = [];
  for (let i = lowerBound(wayIds, way); wayIds[i] === way; i++) cells.push(wayCells[i] as CellId);
  const missing = cells.filter((cell) => Atomics.load(loaded, cell) === 0);
  if (missing.length > 0) throw new CellsMissing(missing);
  return cells;
}
