import type { TravelMatrix } from '../matrix/matrix-search.js';
import type { RoadNetwork } from '../network/road-network.js';
import { type FoundStop, foundStop } from '../snap/found-stop.js';
import type { Snap } from '../snap/snap.js';
import { type AskedPlaces, connectedPlaces, nearestPlacesOf } from './asked-places.js';
import { endsToMove, type MovableStop, type MovedEnds } from './moved-stops.js';
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

export interface MovedCell {
  readonly row: number;
  readonly column: number;
  readonly ends: MovedEnds;
}

export type TableOutcome = { readonly metricVersion: number } & (
  | ({
      readonly status: 'ok';
      readonly stops: readonly TableStop[];
      /** The cells for which an end was moved. */
      readonly movedCells: readonly MovedCell[];
    } & TravelMatrix)
  | { readonly status: 'no-snap'; readonly stop: number }
);

/** Each cell is what a route between its two places takes. */
export function answerTableTask(network: RoadNetwork, task: TableTask): TableOutcome {
  const metricVersion = task.metric.version;
  const nearest = nearestPlacesOf(network, task);
  const missing = nearest.findIndex((places) => places.length === 0);
  if (missing >= 0) return { status: 'no-snap', metricVersion, stop: missing };
  const matrix = placesMatrix(network, task, { from: nearest, to: nearest }, task);
  const { moved, movedCells } = moveEnds(network, task, nearest, matrix);
  const stops = nearest.map(([place], at): TableStop => {
    const other = moved.get(at);
    return {
      ...foundStop(network, place),
      ...(other === undefined ? {} : { moved: foundStop(network, other[0], true) }),
    };
  });
  return { status: 'ok', metricVersion, stops, movedCells, ...matrix };
}

/**
 * Fills cells without a route as `answerThroughTask` finds one: with the end moved that needs the shorter
 * way, or both. A cell stays empty if every route uses a road that is to be avoided.
 */
function moveEnds(
  network: RoadNetwork,
  task: TableTask,
  nearest: readonly (readonly Snap[])[],
  matrix: TravelMatrix,
) {
  const moved = new Map<number, readonly Snap[]>();
  const movedCells: MovedCell[] = [];
  const width = task.destinations.length;
  const empty = [...matrix.ms.keys()].filter((cell) => matrix.ms[cell] === Number.POSITIVE_INFINITY);
  if (empty.length === 0) return { moved, movedCells };
  const rows = [...new Set(empty.map((cell) => Math.floor(cell / width)))];
  const columns = [...new Set(empty.map((cell) => cell % width))];
  const shape = {
    sources: rows.map((row) => task.sources[row]),
    destinations: columns.map((column) => task.destinations[column]),
  };
  const connected: (readonly Snap[])[] = [...nearest];
  for (const stop of new Set([...shape.sources, ...shape.destinations]))
    connected[stop] = connectedPlaces(network, task, nearest[stop], stop);
  const movable = (stop: number): MovableStop => ({ used: nearest[stop], connected: connected[stop] });
  const between = tablesOf(network, task, shape, nearest, connected);
  const withoutAvoiding =
    task.avoid === 0
      ? undefined
      : placesMatrix(network, { ...task, avoid: 0 }, { from: nearest, to: nearest }, shape);
  for (const cell of empty) {
    const [row, column] = [Math.floor(cell / width), cell % width];
    const at = rows.indexOf(row) * columns.length + columns.indexOf(column);
    if (withoutAvoiding !== undefined && withoutAvoiding.ms[at] < Number.POSITIVE_INFINITY) continue;
    const [from, to] = [task.sources[row], task.destinations[column]];
    const ends = endsToMove(movable(from), movable(to)).find(
      (each) => between(each).ms[at] < Number.POSITIVE_INFINITY,
    );
    if (ends === undefined) continue;
    matrix.ms[cell] = between(ends).ms[at];
    if (task.withMetres) matrix.metres[cell] = between(ends).metres[at];
    movedCells.push({ row, column, ends });
    if (ends.from) moved.set(from, connected[from]);
    if (ends.to) moved.set(to, connected[to]);
  }
  return { moved, movedCells };
}

/** The table with the given ends moved, computed when it is first asked for. */
function tablesOf(
  network: RoadNetwork,
  task: TableTask,
  shape: Pick<TableTask, 'sources' | 'destinations'>,
  nearest: readonly (readonly Snap[])[],
  connected: readonly (readonly Snap[])[],
): (ends: MovedEnds) => TravelMatrix {
  const known = new Map<string, TravelMatrix>();
  return ({ from, to }) => {
    const key = `${from} ${to}`;
    let table = known.get(key);
    if (table === undefined) {
      const places = { from: from ? connected : nearest, to: to ? connected : nearest };
      table = placesMatrix(network, task, places, { ...shape, withMetres: task.withMetres });
      known.set(key, table);
    }
    return table;
  };
}
