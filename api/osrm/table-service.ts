import type { Route } from '#platform/http/http-types.js';
import { distanceM } from '#routing-engine/network/earth.js';
import type { MovedCell, TableOutcome, TableStop } from '#routing-engine/tasks/table-task.js';
import { getOsrmTable, postOsrmTable } from '#schemas/http/osrm.js';
import type { LatLng } from '#schemas/units.js';
import type { Releases } from '../release/served-release.js';
import { messages } from './messages.js';
import { tenth } from './numbers.js';
import type { OsrmRefusal } from './refusal.js';
import { dataVersion, osrmService } from './service.js';
import type { WaypointStyle } from './service-query.js';
import { parseTableQuery, type TableQuery } from './table-query.js';
import { waypoint } from './waypoint.js';

export const tableService = (releases: Releases, nowMs: () => number): Route[] =>
  osrmService<TableQuery>([getOsrmTable, postOsrmTable], releases, {
    parse: (request) => parseTableQuery(request, nowMs()),
    async answer(query, { routing, roads }, options) {
      const outcome = await routing!.table(query.question, options);
      if (outcome.status === 'no-snap')
        return { code: 'NoSegment', message: messages.noSegment(outcome.stop) } satisfies OsrmRefusal;
      return { ...answer(outcome, query), data_version: dataVersion(roads.tilesetId, outcome.metricVersion) };
    },
  });

/** The greatest value that OSRM gives. */
const valueMax = 214_748_364.6;

type Found = Extract<TableOutcome, { readonly status: 'ok' }>;

function answer(found: Found, query: TableQuery): object {
  const { sources, destinations } = query.question;
  const { seconds, metres, estimated } = cellsOf(found, query);
  const written = (value: number): number | null =>
    value === Number.POSITIVE_INFINITY ? null : tenth(Math.min(value, valueMax));
  const rows = (cells: Float64Array, scale: number): (number | null)[][] =>
    sources.map((_, row) => {
      const first = row * destinations.length;
      return Array.from(cells.subarray(first, first + destinations.length), (value) =>
        written(scale * value),
      );
    });
  const waypoints = (stops: readonly number[]): object[] =>
    stops.map((stop) => tableWaypoint(found.stops[stop]!, query.waypoints));
  return {
    ...(query.tables.has('duration') ? { durations: rows(seconds, query.scale) } : {}),
    ...(query.tables.has('distance') ? { distances: rows(metres, 1) } : {}),
    ...(query.fallback === undefined ? {} : { fallback_speed_cells: estimated }),
    ...(found.movedCells.length === 0 ? {} : moved(found.movedCells)),
    ...(query.waypoints.shown ? { sources: waypoints(sources), destinations: waypoints(destinations) } : {}),
  };
}

/** Row and column of each cell, and which of its ends is moved. */
const moved = (cells: readonly MovedCell[]): object => ({
  moved_cells: cells.map(({ row, column }) => [row, column]),
  moved_ends: cells.map(({ ends }) => (ends.from && ends.to ? 'both' : ends.from ? 'source' : 'destination')),
});

/** `moved` is the place in the cells that `moved_cells` lists. */
const tableWaypoint = ({ moved, ...nearest }: TableStop, style: WaypointStyle): object => ({
  ...waypoint(nearest, style),
  ...(moved === undefined ? {} : { moved: waypoint(moved, style) }),
});

/** Seconds and metres by cell, Infinity where there is no route, and the cells that are estimates. */
function cellsOf({ ms, metres: found, stops }: Found, { question, fallback, tables }: TableQuery) {
  const { sources, destinations } = question;
  const seconds = ms.map((each) => each / 1_000);
  const metres = tables.has('distance') ? Float64Array.from(found) : new Float64Array(0);
  const estimated: [row: number, column: number][] = [];
  if (fallback === undefined) return { seconds, metres, estimated };
  const placeOf = (stop: number): LatLng =>
    fallback.between === 'input' ? question.stops[stop]!.point : stops[stop]!.point;
  for (const [row, from] of sources.entries())
    for (const [column, to] of destinations.entries()) {
      const cell = row * destinations.length + column;
      if (seconds[cell] !== Number.POSITIVE_INFINITY) continue;
      const [a, b] = [placeOf(from), placeOf(to)];
      const straightM = distanceM(a.lng, a.lat, b.lng, b.lat);
      seconds[cell] = straightM / fallback.metresPerSecond;
      if (metres.length > 0) metres[cell] = straightM;
      estimated.push([row, column]);
    }
  return { seconds, metres, estimated };
}
