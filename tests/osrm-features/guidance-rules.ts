import { areExpectedBearings } from './expected-cell.js';
import type { AskedRow, JudgedCell } from './judged-row.js';
import type { Rule } from './rule.js';
import { hasSameDirections } from './same-directions.js';
import type { ScenarioMap } from './scenario-map.js';
import type { Json } from './served-maps.js';

/** Columns with one element for each step. */
const perStep = /^(route|turns|locations|lanes|ref)$/;
const stepsOf = (answer: Json): Json[] =>
  answer?.routes?.flatMap(({ legs }: Json) => legs.flatMap(({ steps }: Json) => steps)) ?? [];
/** Turns of the table; those that are given also where it has none. */
const turnsIn = ({ cells, answer }: AskedRow, which: 'want' | 'got'): string[] =>
  cells.find(({ column }) => column === 'turns')?.[which].split(',') ??
  (which === 'got' ? stepsOf(answer).map(({ maneuver }) => `${maneuver?.type} ${maneuver?.modifier}`) : []);
const sideOf = (turn: string): string => /left$|right$/.exec(turn)?.[0] ?? '';

type Change = (elements: string[], column: string) => string[];

/** Whether the directions are the same after a change of what is wanted or given. */
function isSameAfter(row: AskedRow, which: 'want' | 'got', change: Change): boolean {
  return hasSameDirections(changed(row, which, change));
}

const changed = (row: AskedRow, which: 'want' | 'got', change: Change): AskedRow => ({
  ...row,
  cells: row.cells.map((cell): JudgedCell => {
    if (!/^(route|turns|locations|bearing)$/.test(cell.column) || cell[which] === '') return cell;
    return { ...cell, [which]: change(cell[which].split(','), cell.column).join(',') };
  }),
});

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

/** Most pairs of turns of one route that are merged. */
const pairsMax = 3;

/**
 * A row with one turn where it has two to the same side, if its directions are then those that are expected.
 */
function withTurnsMerged(row: AskedRow, turns = turnsIn(row, 'got'), left = pairsMax): AskedRow | undefined {
  if (left === 0) return undefined;
  for (const [at, turn] of turns.entries()) {
    const side = sideOf(turn);
    if (side === '' || side !== sideOf(turns[at + 1] ?? '')) continue;
    for (const whole of [`turn ${side}`, 'continue uturn']) {
      const one = changed(row, 'got', merged(at, whole));
      if (hasSameDirections(one)) return one;
      const more = withTurnsMerged(one, merged(at, whole)(turns, 'turns'), left - 1);
      if (more !== undefined) return more;
    }
  }
  return undefined;
}

/** Two turns to one side where one is expected, or the other way round. */
const areTurnsApart = (row: AskedRow): boolean =>
  withTurnsMerged(row) !== undefined ||
  turnsIn(row, 'want').some((turn, at, turns) => {
    const side = sideOf(turn);
    return (
      side !== '' &&
      side === sideOf(turns[at + 1] ?? '') &&
      isSameAfter(row, 'want', merged(at, `turn ${side}`))
    );
  });

/** A roundabout is left onto a ferry: that is said as boarding. */
const isBoarding = (row: AskedRow): boolean =>
  turnsIn(row, 'want').some((turn) => /^exit (roundabout|rotary)/.test(turn)) &&
  isSameAfter(row, 'want', (elements, column) =>
    column !== 'turns'
      ? elements
      : elements.map((turn, at) => {
          const given = turnsIn(row, 'got')[at] ?? '';
          const isLeft = given.startsWith('notification') && /^exit (roundabout|rotary)/.test(turn);
          return isLeft && sideOf(turn) === sideOf(given) ? given : turn;
        }),
  );

/** The same, with the bearing of the first. */
const areBearingsMerged = (row: AskedRow): boolean => {
  const cell = withTurnsMerged(row)?.cells.find(({ column }) => column === 'bearing');
  return cell !== undefined && areExpectedBearings(cell.got, cell.want);
};

/** A turn of this much is a bend. */
const BEND_DEG = 45;

/** Whether two roads of a node are drawn at an angle, usually 60° or more, and do not lead back. */
function hasBend(map: ScenarioMap, [lng, lat]: readonly [number, number], leastDeg = 59): boolean {
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
      return bend >= leastDeg && bend <= 150;
    }),
  );
}

/** A new name is told at a bend of this much, also where it is that of a short road. */
const NAMED_BEND_DEG = 40;

/** Most corners of a route of which some are left out. */
const cornersMax = 6;

/** Turns or new names at bends of 60° are given, and are not expected. */
function areCornersGiven(row: AskedRow): boolean {
  const steps = stepsOf(row.answer);
  const corners = turnsIn(row, 'got').flatMap((turn, at) =>
    (/^(turn|continue|new name) (left|right)$/.test(turn) && hasBend(row.map, steps[at].maneuver.location)) ||
    (turn.startsWith('new name slight') && hasBend(row.map, steps[at].maneuver.location, NAMED_BEND_DEG))
      ? [at]
      : [],
  );
  if (corners.length > cornersMax) return false;
  for (let some = 1; some < 1 << corners.length; some++) {
    const left = new Set(corners.filter((_, i) => (some & (1 << i)) !== 0));
    if (isSameAfter(row, 'got', (elements) => elements.filter((_, at) => !left.has(at)))) return true;
  }
  return false;
}

const crossingsIn = (classes: string): string => classes.replaceAll(/[[\]]/g, '');

/** Bends of the same road, at which no other road may be entered, are expected and not given. */
function areBendsExpected(row: AskedRow): boolean {
  const route = row.cells.find(({ column }) => column === 'route');
  if (route === undefined || route.got === '') return false;
  const [want, got] = [route.want.split(','), route.got.split(',')];
  const missing = want.length - got.length;
  const isNextName = (name: string, at: number): boolean => at === 0 || name !== want[at - 1];
  const bends = stepsOf(row.answer).flatMap(({ intersections }) =>
    intersections.slice(1).filter(({ entry, bearings, in: from, out }: Json) => {
      const turn = Math.abs(((bearings[out] - bearings[from] + 360) % 360) - 180);
      return entry.filter(Boolean).length === 1 && turn >= BEND_DEG;
    }),
  );
  return (
    missing > 0 &&
    bends.length >= missing &&
    want.filter(isNextName).join() === got.filter((name, at) => at === 0 || name !== got[at - 1]).join()
  );
}

/** Each element is one of a longer list, in its order. */
function isPartOfList(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const each of whole) if (at < part.length && areExpectedBearings(part[at]!, each)) at++;
  return at === part.length;
}

/** A list without our steps at bends, with no other road, where only the name changes is as expected. */
function isWithoutNamesAtBends({ cells, answer }: AskedRow, { want, got }: JudgedCell): boolean {
  if (cells.some(({ column }) => column === 'turns')) return false;
  const steps = stepsOf(answer);
  const kept = got.split(',').filter((_, at) => {
    const { maneuver, intersections } = steps[at] ?? {};
    return maneuver?.type !== 'new name' || intersections[0].bearings.length > 2;
  });
  return kept.join(',') === want;
}

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
    covers: ({ column }, row) =>
      (perStep.test(column) && areTurnsApart(row)) || (column === 'bearing' && areBearingsMerged(row)),
  },
  {
    id: 'bends at crossings',
    kind: 'decision',
    reason:
      'A bend of 60° at a crossing as it is drawn is told, also where the roads run straight on some ' +
      'metres from it, and where only the name changes; a new name is told at a bend of 40°.',
    like: ['Valhalla'],
    covers: ({ column, want, got }, row) =>
      (perStep.test(column) || (column === 'classes' && crossingsIn(want) === crossingsIn(got))) &&
      areCornersGiven(row),
  },
  {
    id: 'boarding',
    kind: 'decision',
    reason: 'A roundabout that is left onto a ferry is left by boarding it.',
    like: [],
    covers: ({ column }, row) => column === 'turns' && isBoarding(row),
  },
  {
    id: 'bends',
    kind: 'decision',
    reason: 'A bend of a road where no other road may be entered is not told.',
    like: ['Valhalla'],
    covers: ({ column, want, got }, row) =>
      (column === 'route' || (column === 'bearing' && isPartOfList(got.split(','), want.split(',')))) &&
      areBendsExpected(row),
  },
  {
    id: 'names at bends',
    kind: 'decision',
    reason: 'A street with another name behind a bend is told, also where no other road is.',
    like: ['Valhalla'],
    covers: (cell, row) =>
      (perStep.test(cell.column) || cell.column === 'ref') && isWithoutNamesAtBends(row, cell),
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
  covers: (cell, row) =>
    (/^(lanes|bearing|classes|ref)$/.test(cell.column) || !hasSameDirections(row)) && rule.covers(cell, row),
}));
