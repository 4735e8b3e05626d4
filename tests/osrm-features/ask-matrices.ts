import { coordinatesOf, queryOf } from './ask-routes.js';
import { isExpected } from './expected-cell.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import type { Table } from './read-scenarios.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json, ServedMaps } from './served-maps.js';

type Part = 'durations' | 'distances' | 'fallback_speed_cells';

/** Asks for a matrix, whose first row has the destinations and whose first column the sources. */
export const askMatrix =
  (part: Part) =>
  async (map: ScenarioMap, [header = [], ...rows]: Table, maps: ServedMaps): Promise<AskedRow[]> => {
    const to = header.slice(1);
    const from = rows.map(([letter]) => letter!);
    const isSquare = from.join() === to.join();
    const letters = isSquare ? to : [...to, ...from];
    const between = (begin: number, count: number): string =>
      Array.from({ length: count }, (_, at) => begin + at).join(';');
    const query = queryOf({
      ...map.options,
      annotations: part === 'distances' ? 'distance' : 'duration',
      ...(isSquare ? {} : { sources: between(to.length, from.length), destinations: between(0, to.length) }),
    });
    const places = letters.map((letter) => map.place(letter));
    const request = `table/v1/${map.servedProfile}/${coordinatesOf(places)}?${query}`;
    const { status, json } = await maps.ask(request);
    return rows.map(([, ...wanted], row): AskedRow => {
      const cells = wanted.map((want, column): JudgedCell => {
        const got = valueAt(json, part, row, column);
        return { column: to[column]!, want, got, isSame: isExpected(got, want) };
      });
      return {
        kind: 'table',
        map,
        row: { from: from[row]!, part, number: String(row) },
        request,
        status,
        answer: json,
        cells,
      };
    });
  };

function valueAt(json: Json, part: Part, row: number, column: number): string {
  if (json?.code !== 'Ok') return '';
  if (part === 'fallback_speed_cells')
    return json[part]?.some(([r, c]: Json) => r === row && c === column) ? 'Y' : '';
  return String(json[part]?.[row]?.[column] ?? '');
}
