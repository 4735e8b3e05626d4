import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import type { LatLng } from '#schemas/units.js';
import type { RoadLine } from '../road-tiles/road-line.js';
import type { MapArea } from '../road-tiles/tile-json.js';

/** [lng, lat] in degrees. */
export type Coordinates = readonly (readonly [number, number])[];

/**
 * What the gateway shows of the road network. Edges are directed; their numbers are valid within one tileset.
 */
export interface Roads {
  readonly tilesetId: string;
  readonly area: MapArea;
  readonly edgeCount: number;
  readonly cellCount: number;
  /** Undefined when the tileset has no such edge. */
  edgeOf(edgeId: string): number | undefined;
  edgeIdOf(edge: number): string;
  /** Empty when the road has no name. */
  nameOf(edge: number): string;
  /** In the direction of travel. */
  lineOf(edge: number): Coordinates;
  /** The edge of the other direction of the same road piece; undefined if it is open to none of the modes. */
  oppositeOf(edge: number, modes: readonly TravelMode[]): number | undefined;
  /** The edge nearest to a place that is open to one of the modes, within `metresMax`. */
  nearest(place: LatLng, metresMax: number, modes: readonly TravelMode[]): number | undefined;
  /**
   * The navigating-user record of the specification: the tile of the start and ever coarser tiles that hold
   * it, up to the first that holds the destination too. A tile is named `level/cell`, level 0 being the
   * finest.
   */
  tilesBetween(startEdge: number, destinationEdge: number): string[];
  /** Every road piece once, for drawing. */
  lines(): Iterable<RoadLine>;
}
