import type { TravelMatrix } from '../matrix/matrix-search.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import type { Snap } from '../snap/snap.js';
import { type AskedPlaces, connectedPlaces, nearestPlacesOf } from './asked-places.js';
import { placesMatrix } from './places-matrix.js';

/**
 * A query for the times between places, for a routing worker. Structured-cloneable, as `RouteTask`.
 * `sources` and `destinations` are numbers of stops.
 */
export interface TableTask extends AskedPlaces {
  readonly sources: readonly number[];
  readonly destinations: readonly number[];
  /** Also the lengths of the quickest routes. */
  readonly withMetres: boolean;
}

export interface TableStop extends FoundStop {
  /** The place that is used where no route leads from or to the nearest. */
  readonly moved?: FoundStop;
}

export type TableOutcome = { readonly metricVersion: number } & (
  | ({
      readonly status: 'ok';
      readonly stops: readonly TableStop[];
      /** Row and column of the cells for which an end was moved. */
      readonly movedCells: readonly (readonly [number, number])[];
    } & TravelMatrix)
  | { readonly status: 'no-snap'; readonly stop: number }
);

/** Each cell is what a route between its two places takes. */
export function answerTableTask(network: RoadNetwork, task: TableTask): TableOutcome {
  const metricVersion = task.metric.version;
  const nearest = nearestPlacesOf(network, task);
  const missing = nearest.findIndex((places) => places.length === 0);
  if (missing >= 0) return { status: 'no-snap', metricVersion, stop: missing };
  const matrix = placesMatrix(network, task, nearest, task);
  const { moved, movedCells } = moveEnds(network, task, nearest, matrix);
  const stops = nearest.map(([place], at): TableStop => {
    const other = moved.get(at);
    return {
      ...foundStop(network, place),
      ...(other === undefined ? {} : { moved: foundStop(network, other[0]) }),
    };
  });
  return { status: 'ok', metricVersion, stops, movedCells, ...matrix };
}

/**
 * Fills cells without a route as `answerThroughTask` finds one: from the nearest places of the largest
 * connected part. A cell stays empty if every route uses a road that is to be avoided.
 */
function moveEnds(
  network: RoadNetwork,
  task: TableTask,
  nearest: readonly (readonly Snap[])[],
  matrix: TravelMatrix,
) {
  const moved = new Map<number, readonly Snap[]>();
  const movedCells: (readonly [number, number])[] = [];
  const width = task.destinations.length;
  const empty = [...matrix.ms.keys()].filter((cell) => matrix.ms[cell] === Number.POSITIVE_INFINITY);
  if (empty.length === 0) return { moved, movedCells };
  const rows = [...new Set(empty.map((cell) => Math.floor(cell / width)))];
  const columns = [...new Set(empty.map((cell) => cell % width))];
  const sources = rows.map((row) => task.sources[row]);
  const destinations = columns.map((column) => task.destinations[column]);
  const connected = [...nearest];
  for (const stop of new Set([...sources, ...destinations])) {
    const places = connectedPlaces(network, task, nearest[stop], stop);
    connected[stop] = [...places];
    if (places !== nearest[stop]) moved.set(stop, places);
  }
  if (moved.size === 0) return { moved, movedCells };
  const shape = { sources, destinations };
  const found = placesMatrix(network, task, connected, { ...shape, withMetres: task.withMetres });
  const withoutAvoiding =
    task.avoid === 0 ? undefined : placesMatrix(network, { ...task, avoid: 0 }, nearest, shape);
  const used = new Set<number>();
  for (const cell of empty) {
    const [row, column] = [Math.floor(cell / width), cell % width];
    const at = rows.indexOf(row) * columns.length + columns.indexOf(column);
    const ends = [task.sources[row], task.destinations[column]];
    const isAvoided = withoutAvoiding !== undefined && withoutAvoiding.ms[at] < Number.POSITIVE_INFINITY;
    if (isAvoided || found.ms[at] === Number.POSITIVE_INFINITY || !ends.some((end) => moved.has(end)))
      continue;
    matrix.ms[cell] = found.ms[at];
    if (task.withMetres) matrix.metres[cell] = found.metres[at];
    movedCells.push([row, column]);
    for (const end of ends) used.add(end);
  }
  for (const stop of moved.keys()) if (!used.has(stop)) moved.delete(stop);
  return { moved, movedCells };
}
