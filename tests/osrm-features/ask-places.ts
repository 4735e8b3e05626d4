import polyline from '@mapbox/polyline';
import { coordinatesOf, queryOf } from './ask-routes.js';
import { isExpected } from './expected-cell.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import { rowsOf, type Table } from './read-scenarios.js';
import { annotationOf, routeCells } from './route-cells.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json, ServedMaps } from './served-maps.js';

type Row = Readonly<Record<string, string>>;
type Cells = (row: Row, json: Json) => Readonly<Record<string, string>>;

/** Degrees by which OSRM's tables allow a place to differ, as a share of its longitude and latitude. */
const placeShare = 0.000025;

/** The letters of the places where they are expected, `?` for others. */
const lettersAt = (map: ScenarioMap, letters: string, locations: readonly Json[]): string =>
  locations
    .map(([lng, lat]: Json, at) => {
      const letter = letters[at] ?? '?';
      const place = letter === '?' ? { lng: 0, lat: 0 } : map.place(letter);
      const isNear = (got: number, want: number): boolean =>
        Math.abs(got - want) < placeShare * Math.abs(want);
      return isNear(lng, place.lng) && isNear(lat, place.lat) ? letter : '?';
    })
    .join('');

interface Question {
  readonly kind: AskedRow['kind'];
  readonly service: string;
  /** Letters of the places that a row asks for. */
  readonly letters: (row: Row) => readonly string[];
  /** More than the options of the scenario. */
  readonly options: (row: Row) => Readonly<Record<string, string>>;
  /** Columns that are asked, beside `param:…` and `#`. */
  readonly asked: readonly string[];
  readonly cells: (map: ScenarioMap) => Cells;
}

const parameters = (row: Row): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(row).flatMap(([key, value]) =>
      key.startsWith('param:') && value !== '' && value !== '(nil)' ? [[key.slice(6), value]] : [],
    ),
  );

const ask =
  ({ kind, service, letters, options, asked, cells }: Question) =>
  async (map: ScenarioMap, table: Table, maps: ServedMaps): Promise<AskedRow[]> => {
    const judged: AskedRow[] = [];
    for (const row of rowsOf(table)) {
      const places = letters(row).map((letter) => map.place(letter.trim()));
      const query = queryOf({ ...map.options, ...parameters(row), ...options(row) });
      const request = `${service}/v1/${map.servedProfile}/${coordinatesOf(places)}?${query}`;
      const { status, json } = await maps.ask(request);
      const got =
        status === 404 ? {} : { code: json?.code ?? '', ...(status === 200 ? cells(map)(row, json) : {}) };
      const judgedCells = Object.entries(row)
        .filter(([column]) => column !== '#' && !column.startsWith('param:') && !asked.includes(column))
        .map(([column, want]): JudgedCell => {
          const value = (got as Row)[column] ?? '';
          return { column, want, got: value, isSame: isExpected(value, want) };
        });
      judged.push({ kind, map, row, request, status, answer: json, cells: judgedCells });
    }
    return judged;
  };

/** Rows of `I request nearest I should get`. */
export const askNearest = ask({
  kind: 'nearest',
  service: 'nearest',
  letters: ({ in: place }) => [place!],
  options: () => ({}),
  asked: ['in'],
  cells:
    (map) =>
    (row, { waypoints = [] }) => {
      const [first] = waypoints;
      return {
        out: lettersAt(map, row['out'] ?? '', first === undefined ? [] : [first.location]),
        name: first?.name ?? '',
        result_count: String(waypoints.length),
        snapping_distance: first?.distance.toFixed(1) ?? '',
        ...(row['nodes'] === undefined ? {} : { nodes: map.lettersOf(first?.nodes ?? []) }),
      };
    },
});

/** The rows of `I request nearest for multiple coordinates I should get` are one request. */
export async function askNearestOfAll(map: ScenarioMap, table: Table, maps: ServedMaps): Promise<AskedRow[]> {
  const rows = rowsOf(table);
  const places = rows.map((row) => map.place(row['in']!));
  const radiuses = rows.map((row) => row['radius'] ?? '').join(';');
  const query = queryOf({ ...map.options, ...(/\d/.test(radiuses) ? { radiuses } : {}) });
  const request = `nearest/v1/${map.servedProfile}/${coordinatesOf(places)}?${query}`;
  const { status, json } = await maps.ask(request);
  return rows.map((row, at): AskedRow => {
    const group = json?.waypoints?.[at];
    const want = row['out']!;
    const got = Array.isArray(group) ? lettersAt(map, want, [group[0].location]) : (group?.code ?? '');
    const cells = [{ column: 'out', want, got, isSame: isExpected(got, want) }];
    return { kind: 'nearest', map, row, request, status, answer: json, cells };
  });
}

/** Rows of `I match I should get`. */
export const askMatches = ask({
  kind: 'match',
  service: 'match',
  letters: ({ trace }) => trace!.split(''),
  options: ({ timestamps = '' }): Record<string, string> =>
    timestamps === '' ? {} : { timestamps: timestamps.trim().split(/\s+/).join(';') },
  asked: ['trace', 'timestamps'],
  cells:
    (map) =>
    (row, { tracepoints = [], matchings: [first], matchings }) => {
      const found = tracepoints.filter((each: Json) => each !== null);
      const groups: Json[][] = matchings.map((_: Json, at: number) =>
        found.filter((each: Json) => each.matchings_index === at).map(({ location }: Json) => location),
      );
      const wanted = (row['matchings'] ?? '').split(',');
      const stops = tracepoints.filter((each: Json) => typeof each?.waypoint_index === 'number');
      const one = matchings.length === 1 ? first : undefined;
      return {
        // As many places are compared as are expected.
        matchings: groups
          .map((group, at) => lettersAt(map, wanted[at] ?? '', group.slice(0, wanted[at]?.length)))
          .join(','),
        matchings_index: tracepoints.map((each: Json) => each?.matchings_index ?? '').join(','),
        waypoints: lettersAt(
          map,
          row['waypoints'] ?? '',
          stops.map(({ location }: Json) => location),
        ),
        alternatives: tracepoints.map((each: Json) => each?.alternatives_count ?? '').join(','),
        confidence: String(one?.confidence ?? ''),
        duration: String(one?.duration ?? ''),
        ...(one?.legs?.[0]?.steps === undefined
          ? {}
          : { route: routeCells['route']!(one), turns: routeCells['turns']!(one) }),
        ...(one === undefined ? {} : { geometry: pairsOf(one.geometry, map.options['geometries']) }),
        ...Object.fromEntries(
          Object.keys(row).flatMap((column) =>
            one !== undefined && column.startsWith('a:')
              ? [[column, annotationOf(one, column.slice(2)) ?? '']]
              : [],
          ),
        ),
      };
    },
});

/** Latitude first in an encoded line, longitude first in GeoJSON. */
const pairsOf = (geometry: Json, kind: string | undefined): string =>
  typeof geometry === 'string'
    ? String(polyline.decode(geometry, kind === 'polyline6' ? 6 : 5))
    : String(geometry?.coordinates ?? '');

/** Rows of `I plan a trip I should get`. */
export const askTrips = ask({
  kind: 'trip',
  service: 'trip',
  letters: ({ from, to, waypoints }) => (waypoints === undefined ? [from!, to!] : waypoints.split(',')),
  options: (row) => ({
    steps: 'true',
    ...Object.fromEntries(
      ['source', 'destination', 'roundtrip'].flatMap((key) => (row[key] ? [[key, row[key]]] : [])),
    ),
  }),
  asked: ['from', 'to', 'waypoints', 'source', 'destination', 'roundtrip'],
  cells:
    (map) =>
    (row, { trips, waypoints }) => {
      const isRound = (row['roundtrip'] ?? map.options['roundtrip'] ?? 'true') === 'true';
      const lettersOf = (places: readonly Json[]): string[] =>
        places.map(({ location }) => map.letterAt(location));
      // Without waypoints, the places are those where legs begin and end.
      const found: string[][] = trips.map(({ legs }: Json, trip: number) => {
        if (waypoints === undefined)
          return lettersOf(
            legs.flatMap(({ steps }: Json, at: number) =>
              [...(at === 0 ? [steps[0]] : []), steps.at(-1)].map((step: Json) => step.maneuver),
            ),
          );
        const visited = waypoints
          .filter((each: Json) => each.trips_index === trip)
          .toSorted((one: Json, other: Json) => one.waypoint_index - other.waypoint_index);
        return lettersOf(isRound ? [...visited, ...visited.slice(0, 1)] : visited);
      });
      const sums = (key: 'duration' | 'distance'): string =>
        trips.map(({ legs }: Json) => legs.reduce((sum: number, leg: Json) => sum + leg[key], 0)).join(',');
      return {
        status: 'Ok',
        // As many letters are compared as are expected.
        trips: (row['trips'] ?? '')
          .split(',')
          .map((want, trip) => (found[trip] ?? []).join('').slice(0, want.length))
          .join(','),
        durations: sums('duration'),
        distance: sums('distance'),
        weight_name: trips[0]?.weight_name ?? '',
        geometry: pairsOf(trips[0]?.geometry, map.options['geometries']),
      };
    },
});
