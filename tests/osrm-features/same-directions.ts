import type { AskedRow } from './judged-row.js';

/** A step in the words of OSRM's tables. */
interface Told {
  readonly turn: string;
  readonly name: string;
  readonly location: string | undefined;
}

/** Steps at which there is nothing to decide: straight on. */
const straightOn = /^(?:new name|continue|notification|turn|merge) straight$/;
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
 * roads.
 */
export function hasSameDirections({ cells }: Pick<AskedRow, 'cells'>): boolean {
  const find = (column: string) => cells.find((cell) => cell.column === column);
  const [route, turns, locations] = ['route', 'turns', 'locations'].map(find);
  if (route === undefined && turns === undefined) return false;
  if (turns === undefined) {
    const [want, got] = [route!.want, route!.got];
    return want !== '' && got !== '' && roads(want) === roads(got);
  }
  const told = (which: 'want' | 'got'): string => {
    if (turns[which] === '') return '';
    const names = route?.[which].split(',');
    const places = locations?.[which].split(',');
    const steps = turns[which].split(',').map(
      (turn, at): Told => ({
        turn,
        name: names?.[at] ?? '',
        location: places?.[at],
      }),
    );
    return steps
      .filter(
        ({ turn }, at) => !straightOn.test(turn) && !(exit.test(turn) && /exit-/.test(steps[at - 1]!.turn)),
      )
      .map(({ turn, name, location }) => [sideOf(turn), turn === 'arrive' ? '' : name, location].join('|'))
      .join(',');
  };
  const want = told('want');
  return want !== '' && want === told('got');
}

const roads = (names: string): string =>
  names
    .split(',')
    .filter((name, at, all) => name !== all[at - 1])
    .join(',');
