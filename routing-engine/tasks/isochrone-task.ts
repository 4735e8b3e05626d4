import type { LatLng } from '#schemas/units.js';
import { areasOf } from '../isochrone/areas.js';
import { contourRings, type Ring } from '../isochrone/contour-rings.js';
import { ReachGrid } from '../isochrone/reach-grid.js';
import { AreaTooLarge, type ReachSearch, reachSearchOf } from '../isochrone/reach-search.js';
import { reachedBox } from '../isochrone/reached-box.js';
import { RoadLines } from '../isochrone/road-lines.js';
import { type ReachKind, RoadValues } from '../isochrone/road-values.js';
import type { AvoidMask } from '../network/edge-flags.js';
import type { RoadNetwork } from '../network/road-network.js';
import { assertSameTileset, type Metric } from '../overlay/metric.js';
import { type OpenEnd, openEnds } from '../search/route-ends.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import { openPlaces } from '../snap/nearest-places.js';
import type { Snap } from '../snap/snap.js';
import { connectedPlaces, nearestPlacesOf } from './asked-places.js';

export interface Contour {
  readonly kind: ReachKind;
  /** Milliseconds, or centimetres of the quickest route. */
  readonly limit: number;
}

/** A query for the areas that can be reached from a place, for a routing worker. Structured-cloneable. */
export interface IsochroneTask {
  readonly metric: Metric;
  readonly point: LatLng;
  readonly avoid: AvoidMask;
  readonly contours: readonly Contour[];
  /** Only areas of at least this share of the largest, 0 to 1. */
  readonly denoise: number;
  /** Metres that a point may be left out of a line; absent: a quarter of a step of the grid. */
  readonly generalizeM?: number;
}

export interface FoundContour {
  /** The largest first, each with its outer ring and its holes, as `Area`: [lng, lat, …], closed. */
  readonly areas: readonly (readonly Float64Array[])[];
  /** Metres by which the lines may be off; see `docs/adr/0128-isochrones.md`. */
  readonly toleranceM: number;
}

export type IsochroneOutcome = { readonly metricVersion: number } & (
  | {
      readonly status: 'ok';
      readonly start: FoundStop;
      /** In the order of the query. */
      readonly contours: readonly FoundContour[];
    }
  | { readonly status: 'no-snap' }
  | { readonly status: 'too-large' }
);

const SNAP_MAX_METERS = 1_000;

/** Snaps, searches and draws. */
export function answerIsochroneTask(network: RoadNetwork, task: IsochroneTask): IsochroneOutcome {
  const { metric, avoid, point } = task;
  assertSameTileset(network, metric);
  const { version: metricVersion } = metric;
  const asked = { metric, avoid, stops: [{ point, maxMeters: SNAP_MAX_METERS }], stopsOnFerries: false };
  const [nearest] = nearestPlacesOf(network, asked);
  if (nearest.length === 0) return { status: 'no-snap', metricVersion };
  const search = reachSearchOf(network);
  try {
    let places: readonly Snap[] = nearest;
    let starts = searchFrom(network, search, task, nearest);
    const connected = connectedPlaces(network, asked, nearest, 0);
    // Nothing but a part of the map that is cut off: begin where a route would.
    if (search.isExhausted && connected !== nearest) {
      places = connected;
      starts = searchFrom(network, search, task, connected);
    }
    return {
      ...{ status: 'ok', metricVersion },
      start: foundStop(network, places[0], places !== nearest),
      contours: draw(network, search, starts, task),
    };
  } catch (error) {
    if (error instanceof AreaTooLarge) return { status: 'too-large', metricVersion };
    throw error;
  }
}

function searchFrom(
  network: RoadNetwork,
  search: ReachSearch,
  { metric, avoid, contours }: IsochroneTask,
  places: readonly Snap[],
): OpenEnd[] {
  const open = openPlaces(network, metric, places);
  const starts = openEnds(network, metric, open.length > 0 ? open : places, avoid, false);
  search.run(metric, starts, avoid, { ms: greatest(contours, 'ms'), cm: greatest(contours, 'cm') });
  return starts;
}

const greatest = (contours: readonly Contour[], kind: ReachKind): number =>
  Math.max(0, ...contours.map((each) => (each.kind === kind ? each.limit : 0)));

function draw(
  network: RoadNetwork,
  search: ReachSearch,
  starts: readonly OpenEnd[],
  { metric, point, contours, denoise, generalizeM }: IsochroneTask,
): FoundContour[] {
  const { costMs } = metric;
  const lines = new RoadLines(network, point.lng, point.lat);
  const grids = new Map<ReachKind, ReachGrid>();
  const gridOf = (kind: ReachKind): ReachGrid => {
    let grid = grids.get(kind);
    if (grid === undefined) {
      const limit = greatest(contours, kind);
      const roads = new RoadValues(network, metric, search, starts, kind, limit);
      const box = reachedBox(network, search, starts, lines, roads, { kind, limit, costMs });
      grid = new ReachGrid(network, lines, roads, box);
      grids.set(kind, grid);
    }
    return grid;
  };
  return contours.map(({ kind, limit }) => {
    const grid = gridOf(kind);
    const asideM = generalizeM ?? grid.stepM / 4;
    const areas = areasOf(contourRings(grid, limit), denoise, asideM / grid.stepM);
    return {
      areas: areas.map((area) => area.map((ring) => degrees(ring, grid, lines))),
      toleranceM: 2 * grid.stepM + asideM,
    };
  });
}

/** Closed, with seven decimals, which are those of the map. */
function degrees(ring: Ring, { west, south, stepM }: ReachGrid, lines: RoadLines): Float64Array {
  const out = new Float64Array(ring.length + 2);
  for (let at = 0; at < ring.length; at += 2) {
    out[at] = Math.round(lines.lng0E7 + (west + ring[at] * stepM) / lines.perLng) / 1e7;
    out[at + 1] = Math.round(lines.lat0E7 + (south + ring[at + 1] * stepM) / lines.perLat) / 1e7;
  }
  out[ring.length] = out[0];
  out[ring.length + 1] = out[1];
  return out;
}
