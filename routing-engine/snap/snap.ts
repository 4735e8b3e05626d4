import type { LatLng } from '#schemas/units.js';
import { barredTo } from '../network/barred-roads.js';
import { CellsMissing } from '../network/cells-missing.js';
import { angleBetween, metersPerDegree, metersPerLngDegree } from '../network/earth.js';
import type { AvoidMask } from '../network/edge-flags.js';
import { limits } from '../network/limits.js';
import type { NetworkArrays } from '../network/network-arrays.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, type TravelMode } from '../network/travel-mode.js';
import type { Vehicle } from '../network/vehicle.js';
import { Projection, projectInto } from './project.js';
import { type BoxE7, cellsIn, piecesIn } from './snap-index.js';

/** A place on a directed edge. */
export interface Snap {
  readonly edge: number;
  /** 0 at the tail, 1 at the head, by length. */
  readonly fraction: number;
  /** Side of the edge, looking along it, that the place lies on; 'on' within half a metre. */
  readonly side: 'left' | 'right' | 'on';
  /** The place moved onto the road. */
  readonly point: LatLng;
  readonly distanceM: number;
}

export interface SnapOptions {
  readonly mode: TravelMode;
  /** The search radius. Bounded by `limits.snapMetersMax`. */
  readonly maxMeters: number;
  /**
   * Road pieces at most (a two-way piece gives two snaps, one per direction). Default 1, bounded by
   * `limits.snapPiecesMax`.
   */
  readonly limit?: number;
  /** Also the pieces that are at most this much farther than the last of these. Default 0. */
  readonly tiedMeters?: number;
  /** Compass heading of travel: only edges that run within `headingToleranceDeg` of it there. */
  readonly headingDeg?: number;
  /** Default 60. */
  readonly headingToleranceDeg?: number;
  /**
   * Of a road that is open both ways: only the direction that has the place on this side, or the place on
   * its line.
   */
  readonly side?: 'left' | 'right';
  /** Only this road piece. */
  readonly piece?: number;
  /** Only edges of this strongly connected part (0 is the largest). */
  readonly part?: number;
  /** Only edges without any of these properties. */
  readonly avoid?: AvoidMask;
  /** Only edges that this vehicle may use. */
  readonly vehicle?: Vehicle | undefined;
}

const HEADING_TOLERANCE_DEG = 60;
/** The first circle that is searched; each further one is four times as wide. */
const FIRST_RADIUS_M = 40;

/**
 * Nearest first; empty when no road of the mode is within reach. Throws `CellsMissing` on a lazily loaded
 * network that lacks a cell within the circle that it searches.
 */
export function snap(network: RoadNetwork, point: LatLng, options: SnapOptions): Snap[] {
  const maxMeters = Math.min(options.maxMeters, limits.snapMetersMax);
  const limit = Math.max(1, Math.min(options.limit ?? 1, limits.snapPiecesMax));
  for (let radius = Math.min(FIRST_RADIUS_M, maxMeters); ; radius = Math.min(4 * radius, maxMeters)) {
    const found = snapWithin(network, point, radius, options);
    const last = (found[limit - 1]?.distanceM ?? Number.POSITIVE_INFINITY) + (options.tiedMeters ?? 0);
    if (last > radius && radius < maxMeters) continue;
    return found
      .filter(({ distanceM }, i) => i < limit || distanceM <= last)
      .slice(0, limits.snapPiecesMax)
      .flatMap((projection) => projection.snaps)
      .sort((a, b) => a.distanceM - b.distanceM || a.edge - b.edge);
  }
}

export interface NearPiece {
  readonly distanceM: number;
  readonly piece: number;
  readonly snaps: readonly Snap[];
}

/** All fitting pieces within the radius, nearest first. */
export function snapWithin(
  network: RoadNetwork,
  point: LatLng,
  radiusM: number,
  options: Omit<SnapOptions, 'maxMeters' | 'limit' | 'tiedMeters'>,
): NearPiece[] {
  const { arrays } = network;
  const lngE7 = point.lng * 1e7;
  const latE7 = point.lat * 1e7;
  const perLng = metersPerLngDegree(point.lat) / 1e7;
  const perLat = metersPerDegree / 1e7;
  const pieces = piecesNear(network, [
    Math.floor(lngE7 - radiusM / perLng),
    Math.floor(latE7 - radiusM / perLat),
    Math.ceil(lngE7 + radiusM / perLng),
    Math.ceil(latE7 + radiusM / perLat),
  ]);
  const found: NearPiece[] = [];
  const place = new Projection();
  const barred = barredTo(network, options.vehicle);
  const row = modeIndex(options.mode) * network.edgeCount;
  for (const piece of pieces) {
    const drawn = arrays.pieceEdge[piece];
    const candidates = [drawn, arrays.reverse[drawn]].filter(
      (edge) => edge >= 0 && fits(arrays, row, edge, options) && barred?.hasWhole(edge) !== true,
    );
    if (candidates.length === 0) continue;
    projectInto(place, network, drawn, lngE7, latE7, perLng, perLat);
    const distanceM = Math.sqrt(place.squareM);
    if (distanceM > radiusM) continue;
    const snaps: Snap[] = [];
    for (const edge of candidates) {
      const along = edge === drawn;
      const heading = along ? place.headingDeg : (place.headingDeg + 180) % 360;
      if (
        options.headingDeg !== undefined &&
        angleBetween(heading, options.headingDeg) > (options.headingToleranceDeg ?? HEADING_TOLERANCE_DEG)
      )
        continue;
      const side = distanceM < 0.5 ? 'on' : place.isLeft === along ? 'left' : 'right';
      if (options.side !== undefined && candidates.length === 2 && side !== 'on' && side !== options.side)
        continue;
      snaps.push({
        edge,
        fraction: along ? place.fraction : 1 - place.fraction,
        side,
        point: { lat: place.latE7 / 1e7, lng: place.lngE7 / 1e7 },
        distanceM,
      });
    }
    if (snaps.length > 0) found.push({ distanceM, piece, snaps });
  }
  return found.sort((a, b) => a.distanceM - b.distanceM || a.piece - b.piece);
}

function piecesNear(network: RoadNetwork, box: BoxE7): Set<number> {
  const { loaded } = network.arrays;
  const cells = cellsIn(network, box);
  const missing = cells.filter((cell) => Atomics.load(loaded, cell) === 0);
  if (missing.length > 0) throw new CellsMissing(missing);
  const pieces = new Set<number>();
  for (const cell of cells) piecesIn(network, cell, box, pieces);
  return pieces;
}

/** `row`: where the mode begins in the arrays of each mode and edge. */
const fits = (
  { speedKph, piece, part, flags }: NetworkArrays,
  row: number,
  edge: number,
  wanted: Pick<SnapOptions, 'part' | 'avoid' | 'piece'>,
): boolean =>
  speedKph[row + edge] > 0 &&
  (wanted.piece === undefined || piece[edge] === wanted.piece) &&
  (wanted.part === undefined || part[row + edge] === wanted.part) &&
  (wanted.avoid === undefined || (flags[edge] & wanted.avoid) === 0);
