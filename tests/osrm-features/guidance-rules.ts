import type { AskedRow, JudgedCell } from './judged-row.js';
import type { Rule } from './rule.js';
import { hasSameDirections } from './same-directions.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json } from './served-maps.js';

/** Columns with one element for each step. */
const perStep = /^(route|turns|locations|lanes)$/;
const stepsOf = (answer: Json): Json[] =>
  answer?.routes?.flatMap(({ legs }: Json) => legs.flatMap(({ steps }: Json) => steps)) ?? [];
const turnsIn = ({ cells }: AskedRow, which: 'want' | 'got'): string[] =>
  cells.find(({ column }) => column === 'turns')?.[which].split(',') ?? [];
const sideOf = (turn: string): string => /left$|right$/.exec(turn)?.[0] ?? '';

type Change = (elements: string[], column: string) => string[];

/** Whether the directions are the same after a change of what is wanted or given. */
function isSameAfter(row: AskedRow, which: 'want' | 'got', change: Change): boolean {
  const cells = row.cells.map((cell): JudgedCell => {
    if (!/^(route|turns|locations)$/.test(cell.column) || cell[which] === '') return cell;
    return { ...cell, [which]: change(cell[which].split(','), cell.column).join(',') };
  });
  return hasSameDirections({ ...row, cells });
}

const without =
  (at: number): Change =>
  (elements) =>
    elements.filter((_, i) => i !== at);

/** Two steps as one: the place of the first, and the road of the second. */
const merged =
  (at: number, turn: string): Change =>
  (elements, column) => [
    ...elements.slice(0, at),
    column === 'turns' ? turn : column === 'route' ? elements[at + 1]! : elements[at]!,
    ...elements.slice(at + 2),
  ];

/** Two turns to one side where one is expected. */
function areTurnsApart(row: AskedRow): boolean {
  const turns = turnsIn(row, 'got');
  return turns.some((turn, at) => {
    const side = sideOf(turn);
    if (side === '' || side !== sideOf(turns[at + 1] ?? '')) return false;
    return [`turn ${side}`, 'continue uturn'].some((whole) => isSameAfter(row, 'got', merged(at, whole)));
  });
}

/** Whether two roads of a node are drawn at 60° or more from a straight line, and do not lead back. */
function hasBend(map: ScenarioMap, [lng, lat]: readonly [number, number]): boolean {
  const node = map.nodes.toSorted(
    (a, b) => Math.hypot(a.lng - lng, a.lat - lat) - Math.hypot(b.lng - lng, b.lat - lat),
  )[0]!;
  const arms = map.ways.flatMap(({ refs }) =>
    refs.flatMap((ref, at) => (ref === node.id ? [refs[at - 1], refs[at + 1]] : [])),
  );
  const bearings = arms.flatMap((id) => {
    const other = map.nodes.find((each) => each.id === id);
    return other === undefined
      ? []
      : [(Math.atan2(other.lng - node.lng, other.lat - node.lat) * 180) / Math.PI];
  });
  return bearings.some((one, at) =>
    bearings.slice(at + 1).some((other) => {
      const apart = Math.abs(one - other) % 360;
      const bend = 180 - Math.min(apart, 360 - apart);
      return bend >= 59 && bend <= 150;
    }),
  );
}

/** A turn or new name at a bend of 60° is given, and is not expected. */
const isCornerGiven = (row: AskedRow): boolean =>
  turnsIn(row, 'got').some(
    (turn, at) =>
      /^(turn|continue|new name) (left|right)$/.test(turn) &&
      isSameAfter(row, 'got', without(at)) &&
      hasBend(row.map, stepsOf(row.answer)[at].maneuver.location),
  );

/** A slight turn is expected where no other road may be entered. */
const isForcedExpected = (row: AskedRow): boolean =>
  turnsIn(row, 'want').some(
    (turn, at) => /^turn slight (left|right)$/.test(turn) && isSameAfter(row, 'want', without(at)),
  ) &&
  stepsOf(row.answer).some(({ intersections }) =>
    intersections.some(({ entry }: Json) => entry.filter(Boolean).length === 1),
  );

/** The same list, but roads of a fork that are expected straight on are on a side. */
function areForkSides(row: AskedRow): boolean {
  const [want, got] = [turnsIn(row, 'want'), turnsIn(row, 'got')];
  const isFork = (turn: string, at: number): boolean =>
    /^(turn|fork) straight$/.test(turn) && /^fork slight (left|right)$/.test(got[at]!);
  return (
    want.length === got.length &&
    want.some(isFork) &&
    isSameAfter(row, 'want', (elements, column) =>
      column === 'turns' ? elements.map((turn, at) => (isFork(turn, at) ? got[at]! : turn)) : elements,
    )
  );
}

/** Several roundabouts have nodes in common. */
const areRingsLinked = ({ ways }: ScenarioMap): boolean => {
  const rings = ways.filter(({ tags }) => tags['junction'] === 'roundabout').map(({ refs }) => new Set(refs));
  return rings.some((ring, at) =>
    rings.slice(at + 1).some((other) => [...ring].filter((ref) => other.has(ref)).length >= 1),
  );
};

const told: readonly Rule[] = [
  {
    id: 'turns apart',
    kind: 'decision',
    reason:
      'Turns to the same side are one where they are up to 30 m apart, or where there is no other way; ' +
      'farther apart, both are told.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, row) => perStep.test(column) && areTurnsApart(row),
  },
  {
    id: 'bends at crossings',
    kind: 'decision',
    reason:
      'A bend of 60° at a crossing as it is drawn is told, also where the roads run straight on some ' +
      'metres from it, and where only the name changes.',
    like: ['Valhalla'],
    covers: ({ column }, row) => perStep.test(column) && isCornerGiven(row),
  },
  {
    id: 'no other way',
    kind: 'decision',
    reason: 'Where a road joins another at a small angle and there is no other way, nothing is to be done.',
    like: ['Valhalla'],
    covers: ({ column }, row) => perStep.test(column) && isForcedExpected(row),
  },
  {
    id: 'sides of a fork',
    kind: 'decision',
    reason: 'A road of a fork lies on a side: only one between two others is straight on.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, row) => column === 'turns' && areForkSides(row),
  },
  {
    id: 'names ahead',
    kind: 'decision',
    reason: 'A turn onto a road that has another name after a few metres, with no other way, has that name.',
    like: [],
    covers: ({ column, want, got }) => {
      if (column !== 'route') return false;
      const [wanted, given] = [want.split(','), got.split(',')];
      // The name of the arrival is that of the step before it, or the next name again.
      const same = wanted.length - given.length;
      return (
        (same === 0 || same === 1) &&
        given.every((name, at) => name === wanted[at] || name === wanted[at + 1]) &&
        wanted.at(-1) === given.at(-1)
      );
    },
  },
  {
    id: 'linked roundabouts',
    kind: 'decision',
    reason: 'Roundabouts that share a piece are passed like one roundabout.',
    like: ['Valhalla'],
    covers: ({ column }, row) =>
      perStep.test(column) &&
      areRingsLinked(row.map) &&
      turnsIn(row, 'got').some((turn) => turn.startsWith('roundabout')) &&
      !turnsIn(row, 'want').some((turn) => turn.startsWith('roundabout')),
  },
  {
    id: 'turning round',
    kind: 'decision',
    reason:
      'A vehicle turns round at dead ends and turning circles, and elsewhere only if nothing else is legal.',
    like: ['Valhalla'],
    covers: ({ column }, row) => {
      const places = row.cells.find((cell) => cell.column === 'locations');
      return (
        perStep.test(column) &&
        turnsIn(row, 'want').some((turn) => turn.endsWith('uturn')) &&
        turnsIn(row, 'got').some((turn) => turn.endsWith('uturn')) &&
        places !== undefined &&
        !places.isSame
      );
    },
  },
];

/** For rows whose directions differ; other words for the same are no decision. */
export const guidanceRules: readonly Rule[] = told.map((rule) => ({
  ...rule,
  covers: (cell, row) => (cell.column === 'lanes' || !hasSameDirections(row)) && rule.covers(cell, row),
}));
