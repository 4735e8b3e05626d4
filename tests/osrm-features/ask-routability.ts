import { coordinatesOf, queryOf } from './ask-routes.js';
import { isExpected } from './expected-cell.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import { rowsOf, type Table } from './read-scenarios.js';
import { routeCells } from './route-cells.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json, ServedMaps } from './served-maps.js';

/** What is known of one direction of a tested way, or of both where they are the same. */
type Found = Readonly<Record<'open' | 'mode' | 'time' | 'speed' | 'rate', string>>;
const closed: Found = { open: '', mode: '', time: '', speed: '', rate: '' };

/** Asks along and against the way of each row of `routability should be`. */
export async function askRoutability(map: ScenarioMap, table: Table, maps: ServedMaps): Promise<AskedRow[]> {
  const judged: AskedRow[] = [];
  for (const [at, row] of rowsOf(table).entries()) {
    const [a, b] = map.testedEnds(at);
    const query = queryOf({ steps: 'true', alternatives: 'false', ...map.options });
    const requests = [coordinatesOf([a, b]), coordinatesOf([b, a])].map(
      (ends) => `route/v1/${map.servedProfile}/${ends}?${query}`,
    );
    const answers = await Promise.all(requests.map((request) => maps.ask(request)));
    const [forw, backw] = answers.map(({ json }) => foundOn(json, `w${at}`)) as [Found, Found];
    const found: Readonly<Record<string, Found>> = { forw, backw, bothw: bothOf(forw, backw) };
    const cells: JudgedCell[] = [];
    for (const [column, cell] of Object.entries(row)) {
      const [, direction, rate] = /^(forw|backw|bothw)(_rate)?$/.exec(column) ?? [];
      if (direction === undefined) continue;
      const want = map.shortcuts[cell] ?? cell;
      const got = rate === undefined ? stated(found[direction]!, want) : found[direction]!.rate;
      cells.push({ column, want, got, isSame: isExpected(got, want) });
    }
    judged.push({
      kind: 'routability',
      map,
      row,
      request: requests.join(' '),
      status: answers[0]!.status,
      answer: answers.map(({ json }) => json),
      cells,
    });
  }
  return judged;
}

function foundOn(json: Json, name: string): Found {
  const route = json?.code === 'Ok' ? json.routes[0] : undefined;
  // An end that was moved is not on the way that is tested.
  const isMoved = json?.waypoints?.some(({ distance }: Json) => distance > 1);
  if (route === undefined || isMoved || routeCells['route']!(route).split(',')[0] !== name) return closed;
  const { distance, duration, weight } = route;
  return {
    open: 'x',
    mode: route.legs[0].steps[0].mode,
    time: `${duration} s`,
    speed: duration > 0 ? `${Math.trunc((3.6 * distance) / duration)} km/h` : '',
    rate: String(Math.round((10 * distance) / weight) / 10),
  };
}

const bothOf = (forw: Found, backw: Found): Found =>
  Object.fromEntries(
    Object.entries(forw).map(([key, value]) => [key, value === backw[key as keyof Found] ? value : 'diff']),
  ) as Found;

/** The cell says what it is about: open or not, a time, a speed, or else a mode. */
function stated(found: Found, want: string): string {
  if (want === 'x') return found.open;
  if (/^[\d.]+ s/.test(want)) return found.time;
  if (/^\d+ km\/h/.test(want)) return found.speed;
  return found.mode;
}
