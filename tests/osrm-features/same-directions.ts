import type { AskedRow, JudgedCell } from './judged-row.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json } from './served-maps.js';

/** A step in the words of OSRM's tables. */
interface Told {
  readonly turn: string;
  readonly name: string;
  readonly place: string;
}

/** As wide as a crossing of divided roads. */
const sameCrossingM = 50;

/** Steps at which there is nothing to decide: straight on. */
const straightOn = /^(?:new name|continue|notification|turn|merge) straight$/;
/** And where the road only changes its name. */
const goesOn =
  /^(?:(?:continue|notification|turn|merge) straight|new name (?:slight (?:left|right)|straight))$/;
/** The end of a roundabout; where the roundabout was announced its exit is known. */
const exit = /^exit (?:roundabout|rotary)\b/;

/** Left, right, round or the number of an exit: what a driver must know of a step. */
function sideOf(turn: string): string {
  const exit = /exit-(\w+)$/.exec(turn)?.[1];
  if (exit !== undefined) return exit;
  return ['left', 'right', 'uturn', 'straight'].find((side) => turn.endsWith(side)) ?? turn;
}

/**
 * Whether a row has the directions that it expects, in other words: the same sides and exits onto the same
 * roads, under other types, or with steps that only go straight on. Without a column of turns, the same
 * roads, or else places, but for those of our steps straight on.
 */
export function hasSameDirections({
  cells,
  map,
  answer,
}: Pick<AskedRow, 'cells' | 'map'> & { readonly answer?: Json }): boolean {
  const find = (column: string) => cells.find((cell) => cell.column === column);
  const [route, turns, locations] = ['route', 'turns', 'locations'].map(find);
  if (turns === undefined) {
    if (route !== undefined) return areSameRoads(route, answer);
    return locations !== undefined && areSamePlaces(locations, answer, map);
  }
  const told = (which: 'want' | 'got', nothing: RegExp): Told[] => {
    if (turns[which] === '') return [];
    const names = route?.[which].split(',');
    const places = locations?.[which].split(',');
    const steps = turns[which].split(',').map(
      (turn, at): Told => ({
        turn,
        name: turn === 'arrive' ? '' : (names?.[at] ?? ''),
        place: places?.[at] ?? '',
      }),
    );
    const isSilent = ({ turn }: Told, at: number): boolean =>
      nothing.test(turn) || (exit.test(turn) && /exit-/.test(steps[at - 1]!.turn));
    return steps.filter((step, at) => !isSilent(step, at));
  };
  return [straightOn, goesOn].some((nothing) => {
    const [want, got] = [told('want', nothing), told('got', nothing)];
    return (
      want.length > 0 && want.length === got.length && want.every((step, at) => isLike(map, step, got[at]!))
    );
  });
}

const isLike = (map: ScenarioMap, { turn, name, place }: Told, other: Told): boolean =>
  sideOf(turn) === sideOf(other.turn) && name === other.name && isNear(map, place, other.place);

/** The place where a driver turns may be one of several crossings that belong together. */
function isNear(map: ScenarioMap, a: string, b: string): boolean {
  if (a === b) return true;
  if (!/^[a-z]$/.test(a) || !/^[a-z]$/.test(b)) return false;
  const [from, to] = [map.place(a), map.place(b)];
  const metersPerDeg = 111_195;
  return metersPerDeg * Math.hypot(from.lng - to.lng, from.lat - to.lat) <= sameCrossingM;
}

const areSameRoads = ({ want, got }: JudgedCell, answer: Json): boolean =>
  want !== '' &&
  got !== '' &&
  [
    got,
    stepsTold(answer)
      .map(({ name }) => name)
      .join(','),
  ].some((each) => roads(want) === roads(each));

const areSamePlaces = ({ want, got }: JudgedCell, answer: Json, map: ScenarioMap): boolean =>
  got !== '' &&
  [
    got,
    stepsTold(answer)
      .map(({ maneuver }) => map.letterAt(maneuver.location))
      .join(','),
  ].includes(want);

/** The steps of an answer at which there is something to decide. */
const stepsTold = (answer: Json): Json[] =>
  (answer?.routes?.[0]?.legs ?? [])
    .flatMap((leg: Json) => leg.steps)
    .filter(({ maneuver: { type, modifier } }: Json) => !straightOn.test(`${type} ${modifier}`));

const roads = (names: string): string =>
  names
    .split(',')
    .filter((name, at, all) => name !== all[at - 1])
    .join(',');
