import { areExpectedBearings, isExpected } from './expected-cell.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import { rowsOf, type Table } from './read-scenarios.js';
import { annotationOf, routeCells } from './route-cells.js';
import type { Place, ScenarioMap } from './scenario-map.js';
import type { Answer, Json, ServedMaps } from './served-maps.js';
import { isTestbot, servedModes } from './testbot.js';

/** Columns that say what to ask, or nothing. */
const asked = /^(from|to|waypoints|bearings|approaches|request|#|param:.*|\s*)$/;

export const coordinatesOf = (places: readonly Place[]): string =>
  places.map(({ lng, lat }) => `${lng.toFixed(7)},${lat.toFixed(7)}`).join(';');

export const queryOf = (options: Readonly<Record<string, string>>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');

/** Asks for each row of `I route I should get`. */
export async function askRoutes(map: ScenarioMap, table: Table, maps: ServedMaps): Promise<AskedRow[]> {
  const judged: AskedRow[] = [];
  for (const row of rowsOf(table)) {
    const request = requestOf(map, row);
    const answer = await maps.ask(request);
    judged.push({
      kind: 'route',
      map,
      row,
      request,
      status: answer.status,
      answer: answer.json,
      cells: cellsOf(map, row, answer),
    });
  }
  return judged;
}

function requestOf(map: ScenarioMap, row: Readonly<Record<string, string>>): string {
  if (row['request'] !== undefined) return row['request'].replace(/^\//, '');
  const letters =
    row['from'] !== undefined && row['to'] !== undefined
      ? [row['from'], row['to']]
      : row['waypoints']!.split(',');
  const places = letters.map((letter) => map.place(letter.trim()));
  const words = (text = ''): string[] => text.split(' ').filter((word) => word !== '');
  // A bearing without a range has one of ten degrees.
  const bearings = words(row['bearings']).map((word) =>
    word === '*' ? '' : word.includes(',') ? word : `${word},10`,
  );
  const approaches = words(row['approaches']);
  const options = {
    steps: 'true',
    alternatives: 'false',
    ...map.options,
    ...(bearings.length > 0 ? { bearings: bearings.join(';') } : {}),
    ...(approaches.length > 0 ? { approaches: approaches.join(';') } : {}),
  };
  return `route/v1/${map.servedProfile}/${coordinatesOf(places)}?${queryOf(options)}`;
}

function cellsOf(map: ScenarioMap, row: Readonly<Record<string, string>>, answer: Answer): JudgedCell[] {
  const { status, json } = answer;
  const route: Json = json?.code === 'Ok' ? json.routes[0] : undefined;
  return Object.entries(row)
    .filter(([column]) => !asked.test(column))
    .map(([column, expected]) => {
      const want = column === 'modes' && isTestbot(map) ? servedModes(expected) : expected;
      const got = cellOf(map, column, want, { status, json, route });
      const isBearings = column === 'intersections' || column === 'bearing';
      return { column, want, got, isSame: (isBearings ? areExpectedBearings : isExpected)(got, want) };
    });
}

interface Answered extends Answer {
  readonly route: Json;
}

function cellOf(map: ScenarioMap, column: string, want: string, { status, json, route }: Answered): string {
  switch (column) {
    case 'code':
      return json?.code ?? '';
    case 'status':
      return String(status);
    case 'message':
      return json?.message ?? '';
    case 'data_version':
      return json?.data_version ?? '';
    case 'waypoints_count':
      return String(json?.waypoints?.length ?? 0);
    case 'waypoint_names':
      return json?.waypoints?.map(({ name }: Json) => name).join(';') ?? '';
    case 'alternative':
      return json?.routes?.length > 1 ? routeCells['route']!(json.routes[1]) : '';
  }
  if (route === undefined) return '';
  // An empty cell of these columns expects nothing.
  if (want === '' && ['distance', 'weight', 'speed'].includes(column)) return '';
  if (column === 'locations')
    return route.legs
      .flatMap(({ steps }: Json) => steps)
      .map(({ maneuver }: Json) => map.letterAt(maneuver.location))
      .join(',');
  const annotation = /^a:(.+)$/.exec(column)?.[1];
  if (annotation === 'nodes')
    return route.legs
      .map((leg: Json) => map.lettersOf(leg.annotation?.nodes ?? []).replaceAll(',', ''))
      .join(',');
  if (annotation !== undefined) return annotationOf(route, annotation) ?? '';
  const [, about] = /^am:(.+)$/.exec(column) ?? [];
  if (about !== undefined)
    return route.legs.map(({ annotation: each }: Json) => each?.metadata?.[about]?.join(':') ?? '').join(',');
  return routeCells[column]?.(route)?.trim() ?? '';
}
