import timeZoneAt from '@photostructure/tz-lookup';
import { roadKind } from '#osm/elements/osm-extract.js';
import { isInside } from '../routing-engine/is-inside.js';
import { guidanceRules } from './guidance-rules.js';
import type { AskedRow } from './judged-row.js';
import { matchRules } from './match-rules.js';
import type { Rule } from './rule.js';
import { hasSameDirections } from './same-directions.js';
import type { Place } from './scenario-map.js';
import type { Json } from './served-maps.js';
import { isTestbot, longestStretchM } from './testbot.js';

const stepsOf = (answer: Json): Json[] =>
  answer?.routes?.flatMap(({ legs }: Json) => legs.flatMap(({ steps }: Json) => steps)) ?? [];
const crossingsHave = (answer: Json, key: string): boolean =>
  stepsOf(answer).some(({ intersections }) => intersections.some((each: Json) => key in each));
const someWay = ({ map }: AskedRow, fits: (tags: Readonly<Record<string, string>>) => boolean): boolean =>
  map.ways.some(({ tags }) => fits(tags));
/** Metres from the asked places to the ends of the route. */
const movedM = ({ answer }: AskedRow): number =>
  Math.max(0, ...(answer?.waypoints?.map(({ distance }: Json) => distance as number) ?? []));

const accessKeys = /^(access|vehicle|motor_vehicle|motorcar|bicycle|foot)(:forward|:backward)?$/;
const forEnds = /^(private|delivery|destination|customers|permit|residents)$/;

/**
 * Lists of bearings that differ by up to 45 degrees each, and in the steps that they belong to. Arms of a
 * crossing are listed clockwise from north, so a bearing near to it may be the first or the last.
 */
function isNearBearings(got: string, want: string): boolean {
  const crossings = (text: string): string[][] =>
    text
      .replace(/\s+\+-.*$/, '')
      .split(/[;,]/)
      .map((arms) => arms.split(' '));
  const [found, wanted] = [crossings(got), crossings(want)];
  const isNear = (arm: string, other: string): boolean => {
    const [a, b] = [arm, other].map((text) => (text.match(/\d+/g) ?? []).map(Number));
    return (
      arm.replaceAll(/\d+/g, '#') === other.replaceAll(/\d+/g, '#') &&
      a!.every((each, at) => Math.abs(((each - b![at]! + 540) % 360) - 180) <= 45)
    );
  };
  return (
    found.length === wanted.length &&
    wanted.every((arms, at) =>
      arms.some(
        (_, turn) =>
          arms.length === found[at]!.length &&
          arms.every((arm, i) => isNear(found[at]![(i + turn) % arms.length]!, arm)),
      ),
    )
  );
}

/** Lists of numbers that differ by up to 0.6 % and the margin that is stated, one without any. */
function isNearLengths(got: string, want: string): boolean {
  const margin = Number(/\+-\s*([\d.]+)/.exec(want)?.[1] ?? 1);
  const numbers = (text: string): number[] =>
    (text.replace(/\s*(\+-|~).*$/, '').match(/[\d.]+/g) ?? []).map(Number);
  const [found, wanted] = [numbers(got), numbers(want)];
  // The arrival, of no length, is left out of some tables.
  const compared = found.length === wanted.length + 1 && found.at(-1) === 0 ? found.slice(0, -1) : found;
  return (
    compared.length === wanted.length &&
    wanted.every((each, at) => Math.abs(each - compared[at]!) <= margin + 0.006 * each)
  );
}

/** By step the lanes of its crossings, without crossings that repeat those before them or have none. */
const lanesIn = (lanes: string): string[][] =>
  lanes
    .replaceAll(':true', '+')
    .replaceAll(':false', '-')
    .split(',')
    .map((step) =>
      // Within a lane a letter comes before the semicolon.
      step.split(/(?<![a-z]);/).filter((crossing, at, all) => crossing !== '' && crossing !== all[at - 1]),
    );

const withoutRepeats = (crossings: readonly string[]): string[] =>
  crossings.filter((crossing, at) => crossing !== crossings[at - 1]);

/** The same arrows, and the valid lanes of one are among those of the other. */
function areLikeLanes(one: string, other: string): boolean {
  const [a, b] = [one.split(/(?<=[+-]) /), other.split(/(?<=[+-]) /)];
  if (a.length !== b.length || a.some((lane, at) => lane.slice(0, -1) !== b[at]!.slice(0, -1))) return false;
  const isWithin = (these: string[], those: string[]): boolean =>
    these.every((lane, at) => !lane.endsWith('+') || those[at]!.endsWith('+'));
  return isWithin(a, b) || isWithin(b, a);
}

/** Some of the lanes of another list, side by side, with all of its valid lanes. */
function isPartOfLanes(part: string, whole: string): boolean {
  const at = whole.indexOf(part);
  return at >= 0 && !(whole.slice(0, at) + whole.slice(at + part.length)).includes('+');
}

/** Roads in lists of crossings. */
const armsIn = (intersections: string): number => intersections.match(/true|false/g)?.length ?? 0;

/** Two one-way roads have the same name, or one comes back to where it was. */
const hasCarriageways = ({ ways }: AskedRow['map']): boolean => {
  const oneways = ways.filter(({ tags }) => tags['oneway'] === 'yes' && tags['name'] !== undefined);
  return (
    new Set(oneways.map(({ tags }) => tags['name'])).size < oneways.length ||
    oneways.some(({ refs }) => new Set(refs).size < refs.length)
  );
};

/** Classes that this engine opens to a mode, where OSRM does not. */
const classesOpenTo: Readonly<Record<string, readonly string[]>> = {
  car: ['road'],
  bicycle: ['trunk', 'trunk_link', 'road'],
  foot: ['bridleway', 'cycleway', 'road', 'pier'],
};

/** What a signal costs OSRM's testbot. */
const SIGNAL_S = 7;

/** The fastest speed of a road that a map can have. */
const TOP_KPH = 254;

/** Time zones by the names of OSRM's files of their borders. */
const zoneOfFile: Readonly<Record<string, string>> = {
  guinea: 'Africa/Conakry',
  dc: 'America/New_York',
  london: 'Europe/London',
};

/** Names of ways with a stretch that the scenario's file of speeds closes. */
const closedWays = ({ speedFile = '', ways }: AskedRow['map']): string[] => {
  const closed = new Set(
    Array.from(speedFile.matchAll(/^\s*(\d+),(\d+),0(?:\.0*)?(?:,|\s*$)/gm), ([, a, b]) => `${a},${b}`),
  );
  return ways
    .filter(({ refs }) =>
      refs.some(
        (ref, at) =>
          at > 0 && [`${refs[at - 1]},${ref}`, `${ref},${refs[at - 1]}`].some((each) => closed.has(each)),
      ),
    )
    .map(({ tags }) => tags['name'] ?? '');
};

const inAnyOrder = (classes: string): string =>
  classes.replaceAll(/\(([^)]*)\)/g, (_, list: string) => `(${list.split(',').sort().join()})`);

/** Whether a letter is in an area on which people walk, and on none of the ways. */
function isOnArea(map: AskedRow['map'], letter: string): boolean {
  const place = map.nodes.find((node) => isSamePlace(node, map.place(letter)));
  if (place === undefined || map.ways.some(({ refs }) => refs.includes(place.id))) return false;
  const outlines = [
    ...map.ways.filter(({ tags }) => tags['area'] === 'yes').map(({ id }) => id),
    ...map.relations
      .filter(({ tags }) => tags['type'] === 'multipolygon')
      .flatMap(({ members }) => members.filter(({ role }) => role === 'outer').map(({ id }) => id)),
  ];
  return map.ways
    .filter(({ id }) => outlines.includes(id))
    .some(({ refs }) => {
      const ring = refs.flatMap((ref) => {
        const { lng, lat } = map.nodes.find(({ id }) => id === ref)!;
        return [lng, lat];
      });
      return isInside(ring, place.lng, place.lat);
    });
}

const isSamePlace = (a: Place, b: Place): boolean => a.lng === b.lng && a.lat === b.lat;

const exitOf = (turns: string): number => Number(/exit-(\d+)/.exec(turns)?.[1] ?? 0);

const instructions = /^(route|turns|locations|modes|lanes|bearing|ref|classes|distance|distances|summary)$/;
const timed = /^(time|times|speed|a:speed|a:duration)$/;

export const rules: readonly Rule[] = [
  {
    id: 'service',
    kind: 'decision',
    reason: 'A path that is no operation is answered with 404 or 405, as HTTP defines them, not with 400.',
    like: [],
    covers: (_, { status }) => status === 404 || status === 405,
  },
  {
    id: 'hours',
    kind: 'decision',
    reason:
      'Conditions by time always count; OSRM reads them if it is told an hour. Without one they all hold.',
    like: [],
    covers: ({ column }, { map, kind, row }) =>
      map.departMs === undefined &&
      (kind === 'routability'
        ? Object.keys(row).some((key) => key.endsWith(':conditional') && row[key] !== '')
        : instructions.test(column) &&
          [...map.ways, ...map.relations].some(({ tags }) =>
            Object.keys(tags).some((key) => key.endsWith(':conditional')),
          )),
  },
  {
    id: 'scripts',
    kind: 'no concept',
    reason: "Scripts, files and arguments of OSRM's programs have no counterpart.",
    like: ['Valhalla', 'GraphHopper'],
    covers: (_, { map }) => map.foreign.length > 0,
  },
  {
    id: 'profile',
    kind: 'no concept',
    reason: 'There is no such profile.',
    like: [],
    covers: (_, { map }) => !['car', 'bicycle', 'foot', 'testbot', 'turnbot'].includes(map.profile),
  },
  {
    id: 'lanes',
    kind: 'no concept',
    reason: 'Answers have no lanes yet.',
    like: [],
    covers: ({ column }, { answer }) =>
      /^(lanes|intersection_lanes)$/.test(column) && !crossingsHave(answer, 'lanes'),
  },
  {
    id: 'lanes ahead',
    kind: 'decision',
    reason:
      'Engines differ in how far ahead they choose among lanes that all lead to the turn, and in the ' +
      'crossings at which they repeat them.',
    like: [],
    covers: ({ column, want, got }) => {
      if (column !== 'lanes') return false;
      const [wanted, given] = [want, got].map((lanes) => withoutRepeats(lanesIn(lanes).flat()));
      return (
        wanted!.length === given!.length &&
        wanted!.every((crossing, at) => areLikeLanes(crossing, given![at]!))
      );
    },
  },
  {
    id: 'lanes of a way',
    kind: 'decision',
    reason: 'Lanes are those of the way before the crossing, without those of a slip road beside it.',
    like: [],
    covers: ({ column, want, got }) => {
      if (column !== 'lanes' || got.replaceAll(/[,;]/g, '') === '') return false;
      const [wanted, given] = [lanesIn(want), lanesIn(got)];
      return (
        wanted.length === given.length &&
        wanted.every((step, at) => {
          const ours = given[at]!;
          return (
            ours.every((part) => step.some((whole) => isPartOfLanes(part, whole))) &&
            step.every((whole) => ours.some((part) => isPartOfLanes(part, whole)))
          );
        })
      );
    },
  },
  {
    id: 'trains',
    kind: 'no concept',
    reason: 'A bicycle or car is not taken on a train.',
    like: ['GraphHopper'],
    covers: (_, row) =>
      someWay(
        row,
        ({ route, railway }) => route === 'train' || route === 'shuttle_train' || railway === 'train',
      ),
  },
  {
    id: 'ends at sea',
    kind: 'decision',
    reason:
      "A route neither begins nor ends on a ferry, as in OSRM's own profiles: it begins on the nearest road.",
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, { map, cells }) => {
      const modes = cells.find((cell) => cell.column === 'modes');
      if (!isTestbot(map) || modes === undefined) return false;
      if (!instructions.test(column) && !timed.test(column)) return false;
      const [wanted, given] = [modes.want.split(','), modes.got.split(',')];
      return [0, -1].some((end) => wanted.at(end) === 'ferry' && given.at(end) !== 'ferry');
    },
  },
  {
    id: 'places on areas',
    kind: 'no concept',
    reason:
      'A place on a square is moved to the nearest line across it, as to a road; nobody walks to that line.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, { map, row }) =>
      [row['from'], row['to'], ...(row['waypoints'] ?? '').split(','), column].some(
        (name) => name?.length === 1 && isOnArea(map, name),
      ),
  },
  {
    id: 'speeds',
    kind: 'decision',
    reason: 'Each engine has its own speeds and times of turns; only that a road is open is compared.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want, got }, { kind, map, row }) =>
      got !== '' &&
      (kind === 'routability'
        ? /^[\d.]+ (s|km\/h)/.test(want)
        : kind === 'table'
          ? want !== '' && row['part'] === 'durations' && !isTestbot(map)
          : timed.test(column) || (kind === 'match' && column === 'duration' && !isTestbot(map))),
  },
  {
    id: 'weight',
    kind: 'decision',
    reason: 'The weight of a route is its duration; preferences are speeds.',
    like: [],
    covers: ({ column, got }) => got !== '' && /^(weights?|a:weight|weight_name|\w+_rate)$/.test(column),
  },
  {
    id: 'moved ends',
    kind: 'decision',
    reason:
      'Where no route leads, an end is moved to the nearest connected road, and the answer has the distance.',
    like: ['Valhalla'],
    covers: ({ want, column }, row) =>
      movedM(row) > 1 &&
      (want === ''
        ? instructions.test(column)
        : /^(status|code|message)$/.test(column) && row.status === 200),
  },
  {
    id: 'moved ends of tables',
    kind: 'decision',
    reason:
      'Where no route leads, an end is moved to the nearest connected road, and the answer lists the cell.',
    like: ['Valhalla'],
    covers: ({ got }, { kind, answer, row }) =>
      kind === 'table' &&
      row['part'] !== undefined &&
      answer?.moved_cells?.some(
        ([at, column]: Json) =>
          at === Number(row['number']) &&
          (got === '' || String(answer[row['part']!]?.[at]?.[column]) === got),
      ) === true,
  },
  {
    id: 'fallback speed',
    kind: 'decision',
    reason: 'fallback_speed is in metres per second, as OSRM documents; its own estimate is a tenth of that.',
    like: [],
    covers: ({ want, got }, { kind, map, row, answer }) =>
      kind === 'table' &&
      row['part'] === 'durations' &&
      'fallback_speed' in map.options &&
      answer?.fallback_speed_cells?.some(([at]: Json) => at === Number(row['number'])) === true &&
      Math.abs(Number(got) / Number(want) - 10) < 0.1,
  },
  {
    id: 'signals of tests',
    kind: 'decision',
    reason:
      "The car that stands for OSRM's testbot does not wait at traffic signals, 7 s each: OSRM's time is " +
      'longer by up to that, and it may take a way without signals.',
    like: [],
    covers: ({ column, want, got }, { kind, map, row }) => {
      const signals = map.nodes.filter(({ tags }) => tags['highway'] === 'traffic_signals');
      if (!isTestbot(map) || signals.length === 0) return false;
      if (kind === 'table') {
        const more = Number.parseFloat(want) - Number(got);
        // The fastest road is driven at 10 m/s.
        const most = signals.length * (row['part'] === 'durations' ? SIGNAL_S : SIGNAL_S * 10);
        const slack = 0.11 + 0.006 * Number.parseFloat(want);
        return Number(got) > 0 && more >= -slack && more <= most + slack;
      }
      const passesSignal = (names: string): boolean =>
        map.ways.some(
          ({ tags, refs }) =>
            names.split(',').includes(tags['name'] ?? '') && signals.some(({ id }) => refs.includes(id)),
        );
      return column === 'route' && passesSignal(got) && !passesSignal(want);
    },
  },
  {
    id: 'only over ways',
    kind: 'decision',
    reason:
      'An `only_…` restriction over ways binds from its first node on: no other turn may be taken there.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, row) =>
      row.kind === 'route' &&
      instructions.test(column) &&
      !hasSameDirections(row) &&
      row.map.relations.some(
        ({ tags, members }) =>
          (tags['restriction'] ?? '').startsWith('only_') &&
          members.some(({ type, role }) => type === 'way' && role === 'via'),
      ),
  },
  {
    id: 'ways side by side',
    kind: 'decision',
    reason: 'Where several ways have the same two nodes side by side, any may be the one that is used.',
    like: [],
    covers: ({ column }, { kind, map: { ways } }) => {
      const stretches = ways.flatMap(({ refs }) =>
        refs.slice(1).map((ref, at) => [ref, refs[at]!].sort((a, b) => a - b).join()),
      );
      return kind === 'route' && column === 'route' && new Set(stretches).size < stretches.length;
    },
  },
  {
    id: 'sphere of tables',
    kind: 'decision',
    reason: 'Lengths, and times over them, differ by up to 0.6 % from those of an ellipsoid.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ want, got }, { kind }) =>
      kind === 'table' &&
      got !== '' &&
      Math.abs(Number(got) - Number.parseFloat(want)) <= 0.11 + 0.006 * Number.parseFloat(want),
  },
  {
    id: 'sphere',
    kind: 'decision',
    reason: 'Lengths are measured on a sphere; they differ from those of an ellipsoid by up to 0.6 %.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want, got }) =>
      /^(distances?|times?|duration|a:distance)$/.test(column) && got !== '' && isNearLengths(got, want),
  },
  {
    id: 'great circles',
    kind: 'decision',
    reason: 'The length of a line across a part of the Earth is that of its great circle.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want, got }) => {
      const [wanted, given] = [want, got].map(Number.parseFloat) as [number, number];
      return column === 'distance' && given > 1e6 && /~/.test(want) && Math.abs(given / wanted - 1) < 0.06;
    },
  },
  {
    id: 'posted trips',
    kind: 'decision',
    reason: 'Trips are served for a JSON body too.',
    like: [],
    covers: ({ want }, { kind, request }) =>
      kind === 'post' && want === 'NotImplemented' && request.startsWith('trip/'),
  },
  {
    id: 'less than a metre',
    kind: 'decision',
    reason: 'A route of less than a metre has the name of the road where it begins.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, got }, { kind, answer }) =>
      kind === 'route' && column === 'route' && got !== '' && answer?.routes?.[0]?.distance < 1,
  },
  {
    id: 'ties',
    kind: 'decision',
    reason: 'Of two ways that take as long, to 0.6 %, either may be the route.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want, got }, { kind, map, cells }) => {
      if (kind !== 'route' || column !== 'route' || !isTestbot(map) || want === '' || got === '')
        return false;
      const [wanted, given] = [want, got].map((names) => new Set(names.split(',')));
      const isOtherWay = [...wanted!].some((name) => !given!.has(name));
      const takes = cells.find((cell) => /^(weight|time)$/.test(cell.column));
      return isOtherWay && takes !== undefined && isNearLengths(takes.got, `${takes.want} +- 0`);
    },
  },
  {
    id: 'top speed',
    kind: 'decision',
    reason: 'No vehicle goes faster than 254 km/h.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ want, got }, { kind, map, row }) => {
      const { segmentS } = map.script;
      if (kind !== 'table' || row['part'] !== 'durations' || segmentS === undefined) return false;
      const leastS = (3.6 * longestStretchM(map.elements())) / TOP_KPH;
      return leastS > segmentS && Math.abs(Number(got) - (Number(want) * leastS) / segmentS) <= 0.25;
    },
  },
  {
    id: 'unknown access',
    kind: 'decision',
    reason: 'A road whose access is not known is open to all, and not restricted.',
    like: ['GraphHopper'],
    covers: ({ column, want, got }, row) =>
      column === 'classes' &&
      someWay(row, ({ access }) => access === 'unknown') &&
      want.replaceAll(/[[\]]|,?restricted/g, '') === got.replaceAll(/[[\]]/g, ''),
  },
  {
    id: 'ends on closed roads',
    kind: 'decision',
    reason:
      'A place on a road that is closed at the moment can be left and reached, so that a driver who is ' +
      'there has a route; only roads between are avoided.',
    like: ['Valhalla'],
    covers: ({ column, want }, row) => {
      const closed = closedWays(row.map);
      if (closed.length === 0 || row.status !== 200) return false;
      if (column === 'code') return want.startsWith('No');
      if (column === 'alternative') return want === '';
      const steps = stepsOf(row.answer);
      const isAtEnd = [steps[0], steps.at(-1)].some((step) => closed.includes(step?.name));
      return isAtEnd && (instructions.test(column) || timed.test(column) || column.startsWith('a:'));
    },
  },
  {
    id: 'stated speeds',
    kind: 'decision',
    reason:
      'A speed that an operator states slows a road from crossing to crossing as a whole; none makes a ' +
      'road faster than free flow.',
    like: [],
    covers: ({ column, got }, { map }) =>
      map.speedFile !== undefined && got !== '' && (timed.test(column) || column === 'a:datasources'),
  },
  {
    id: 'sources of times',
    kind: 'decision',
    reason: 'The sources of times are free flow and live traffic, which includes what operators state.',
    like: [],
    covers: ({ column, got }) => column === 'am:datasource_names' && got === 'free flow:live traffic',
  },
  {
    id: 'places at nodes',
    kind: 'decision',
    reason: 'A place at a node is on the stretch before it or on the one behind it.',
    like: [],
    covers: ({ column, want, got }, { kind }) => {
      const inner = (legs: string): string =>
        legs
          .split(',')
          .map((leg) => leg.split(':').slice(1, -1).join(':'))
          .join(',');
      const isWithin = (part: string, whole: string): boolean =>
        `:${whole}:`.includes(`:${part}:`) || part === '';
      const [wanted, given] = [inner(want).split(','), inner(got).split(',')];
      return (
        kind === 'match' &&
        column === 'a:nodes' &&
        wanted.length === given.length &&
        wanted.every(
          (leg, at) => isWithin(leg, got.split(',')[at]!) && isWithin(given[at]!, want.split(',')[at]!),
        )
      );
    },
  },
  {
    id: 'numbers by step',
    kind: 'decision',
    reason: 'Numbers of roads are listed by step: they are the same where only the steps differ.',
    like: [],
    covers: ({ column, want, got }) =>
      column === 'ref' && withoutRepeats(want.split(',')).join() === withoutRepeats(got.split(',')).join(),
  },
  {
    id: 'alleys',
    kind: 'decision',
    reason: 'A bicycle takes an alley where that is shorter.',
    like: ['GraphHopper'],
    covers: ({ column }, row) =>
      column === 'a:nodes' &&
      row.map.profile === 'bicycle' &&
      someWay(row, ({ service }) => service === 'alley'),
  },
  ...matchRules,
  ...guidanceRules,
  {
    id: 'ferry of others',
    kind: 'decision',
    reason: 'A ferry with a tag for walkers or bicycles and none for motor vehicles carries only those.',
    like: [],
    covers: ({ column }, row) =>
      instructions.test(column) &&
      row.map.profile === 'car' &&
      someWay(
        row,
        (tags) =>
          tags['route'] === 'ferry' &&
          ('foot' in tags || 'bicycle' in tags) &&
          !['motorcar', 'motor_vehicle', 'vehicle'].some((key) => key in tags),
      ),
  },
  {
    id: 'node access',
    kind: 'decision',
    reason: 'Access tags of a node count at barriers only.',
    like: ['GraphHopper'],
    covers: ({ want, got }, { row, kind }) =>
      kind === 'routability' &&
      want === '' &&
      got !== '' &&
      (row['node/barrier'] ?? '') === '' &&
      Object.keys(row).some(
        (key) => /^node\/(access|foot|bicycle|vehicle|motor_vehicle|motorcar)$/.test(key) && row[key] !== '',
      ),
  },
  {
    id: 'signs of a direction',
    kind: 'decision',
    reason: 'A sign with a direction (`destination:forward`) is read on two-way roads too.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want }, row) =>
      column === 'destinations' &&
      want.replaceAll(',', '') === '' &&
      someWay(row, (tags) => 'destination:forward' in tags && tags['oneway'] === 'no'),
  },
  {
    id: 'bearings',
    kind: 'decision',
    reason: 'Bearings are those of the roads at the crossing, not those that a driver sees farther on.',
    like: ['GraphHopper'],
    covers: ({ column, want, got }) => /^(intersections|bearing)$/.test(column) && isNearBearings(got, want),
  },
  {
    id: 'exits of service roads',
    kind: 'decision',
    reason: 'Every road that leaves a roundabout and is open to the mode counts as an exit.',
    like: ['Valhalla'],
    covers: ({ column, want, got }, row) =>
      column === 'turns' &&
      someWay(row, ({ highway }) => highway === 'service') &&
      exitOf(got) > exitOf(want) &&
      exitOf(want) > 0,
  },
  {
    id: 'seasons',
    kind: 'decision',
    reason: 'A route is legal at any season: roads over ice or snow are closed.',
    like: [],
    covers: ({ got }, { row }) => got === '' && /^(ice|winter)_road$/.test(row['highway'] ?? ''),
  },
  {
    id: 'official',
    kind: 'decision',
    reason: '`official` is an old word for `designated`, which opens a road.',
    like: ['GraphHopper'],
    covers: ({ want, got }, { kind, row }) =>
      kind === 'routability' && want === '' && got !== '' && Object.values(row).includes('official'),
  },
  {
    id: 'several members',
    kind: 'decision',
    reason: 'A restriction with more members than its kind has binds every pair of them.',
    like: [],
    covers: ({ column }, { map }) =>
      instructions.test(column) &&
      map.relations.some(({ tags, members }) => {
        const count = (role: string): number => members.filter((member) => member.role === role).length;
        const kind = tags['restriction'] ?? '';
        return (count('from') > 1 && kind !== 'no_entry') || (count('to') > 1 && kind !== 'no_exit');
      }),
  },
  {
    id: 'spaces in a list',
    kind: 'decision',
    reason: 'Spaces around the values of `except` do not count.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, { map }) =>
      instructions.test(column) && map.relations.some(({ tags }) => / ;|; /.test(tags['except'] ?? '')),
  },
  {
    id: 'foreign hints',
    kind: 'decision',
    reason: 'A hint that is not of this server is refused; an option is honoured or refused.',
    like: [],
    covers: (_, { status, map, answer }) =>
      status === 400 && answer?.code === 'InvalidValue' && 'hints' in map.options,
  },
  {
    id: 'no road',
    kind: 'decision',
    reason:
      'A way is a road by `highway`, or a platform, pier, ferry or car train; no other key makes it one.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, row) =>
      (instructions.test(column) || timed.test(column)) &&
      someWay(row, (tags) => roadKind(new Map(Object.entries(tags))) === undefined && !('route' in tags)) &&
      !row.map.relations.some(({ tags }) => tags['type'] === 'multipolygon' && 'highway' in tags),
  },
  {
    id: 'classes of roads',
    kind: 'decision',
    reason:
      'Without a tag for the mode, the classes that it may use are those of the table of OpenStreetMap.',
    like: [],
    covers: ({ want, got }, { kind, row, map }) =>
      kind === 'routability' &&
      ((want === '' && got !== '') || row['highway'] === 'pier') &&
      // A bicycle is pushed where one may walk.
      classesOpenTo[got === 'pushing bike' ? 'foot' : map.profile]?.includes(row['highway'] ?? '') === true,
  },
  {
    id: 'maneuver relations',
    kind: 'decision',
    reason:
      'An instruction that a relation states holds on every path over its ways, and the road behind it has ' +
      'the name that it has there, not that of some metres on.',
    like: [],
    covers: ({ column }, row) =>
      /^(route|turns)$/.test(column) &&
      row.map.relations.some(({ tags }) => tags['type'] === 'maneuver') &&
      !hasSameDirections(row) &&
      hasSameDirections({ ...row, cells: row.cells.filter((cell) => cell.column !== 'route') }),
  },
  {
    id: 'roads that are ferries',
    kind: 'decision',
    reason: 'A way with `highway` is a road, also where it has `route=ferry`.',
    like: ['GraphHopper'],
    covers: ({ column }, row) =>
      instructions.test(column) &&
      someWay(row, ({ highway, route }) => highway !== undefined && route === 'ferry') &&
      (column === 'modes' || !hasSameDirections(row)),
  },
  {
    id: 'carriageways',
    kind: 'decision',
    reason:
      'A road that divides is one arm of a crossing where its carriageways leave it within 60 degrees; ' +
      'where they are drawn farther apart, and at islands, each is an arm.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, want, got }, { map }) =>
      column === 'intersections' && armsIn(got) > armsIn(want) && hasCarriageways(map),
  },
  {
    id: 'driving side',
    kind: 'decision',
    reason: 'The side of the road is that of the country of the first road, one for the whole map.',
    like: [],
    covers: ({ column }, { cells }) =>
      column === 'driving_side' ||
      (timed.test(column) && cells.some((cell) => cell.column === 'driving_side')),
  },
  {
    id: 'private gates',
    kind: 'decision',
    reason: 'A gate with `access=private` is for those who begin or end at the road behind it.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ want, got }, { kind, row }) =>
      kind === 'routability' && want === '' && got !== '' && row['node/access'] === 'private',
  },
  {
    id: 'public transport',
    kind: 'decision',
    reason: '`access=psv` opens a road to vehicles of public transport only, not to bicycles.',
    like: [],
    covers: ({ want, got }, { kind, row }) =>
      kind === 'routability' && want !== '' && got === '' && row['access'] === 'psv',
  },
  {
    id: 'shared cars',
    kind: 'decision',
    reason: 'A car has one person in it: roads for cars with several are closed.',
    like: ['Valhalla'],
    covers: ({ column }, row) =>
      row.row['access'] === 'hov' ||
      row.row['hov'] === 'designated' ||
      (instructions.test(column) && someWay(row, ({ hov }) => hov === 'designated')),
  },
  {
    id: 'smoothness',
    kind: 'decision',
    reason: 'A car does not drive on `smoothness=very_horrible`.',
    like: [],
    covers: ({ got }, { kind, row }) =>
      kind === 'routability' && got === '' && row['smoothness'] === 'very_horrible',
  },
  {
    id: 'escalators',
    kind: 'decision',
    reason: 'Nobody walks against a moving walkway or escalator with a stated direction.',
    like: [],
    covers: ({ column, got }, row) =>
      got === '' &&
      (instructions.test(column) || timed.test(column)) &&
      someWay(row, ({ conveying }) => conveying === 'forward' || conveying === 'backward'),
  },
  {
    id: 'pavements mapped apart',
    kind: 'decision',
    reason:
      'A road whose pavement or cycle track is mapped as a way of its own stays open, if no tag closes it.',
    like: [],
    covers: ({ column, want, got }, row) =>
      row.kind === 'routability'
        ? want === '' && got !== '' && Object.values(row.row).includes('separate')
        : instructions.test(column) && someWay(row, (tags) => Object.values(tags).includes('separate')),
  },
  {
    id: 'private roads',
    kind: 'decision',
    reason: 'A private road is open to those who begin or end on it.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ want, got }, { kind, row }) =>
      kind === 'routability' &&
      want === '' &&
      got !== '' &&
      Object.entries(row).some(([key, value]) => accessKeys.test(key) && forEnds.test(value)),
  },
  {
    id: 'ends on private roads',
    kind: 'decision',
    reason: 'An end is on the nearest road, also where that is private.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column }, row) =>
      row.kind === 'route' &&
      instructions.test(column) &&
      !hasSameDirections(row) &&
      someWay(row, ({ access, highway }) => access === 'private' && highway === 'service'),
  },
  {
    id: 'members that pass through',
    kind: 'decision',
    reason:
      'Of a member that passes through the crossing, the part counts whose turn is that of the restriction.',
    like: [],
    covers: ({ column }, row) =>
      instructions.test(column) &&
      !hasSameDirections(row) &&
      row.map.relations.some(({ members }) => {
        const via = members.find(({ role, type }) => role === 'via' && type === 'node')?.id;
        const refsOf = (id: number) => row.map.ways.find((way) => way.id === id)?.refs ?? [];
        return members.some(
          ({ role, type, id }) =>
            type === 'way' &&
            role !== 'via' &&
            refsOf(id)
              .slice(1, -1)
              .includes(via ?? Number.NaN),
        );
      }),
  },
  {
    id: 'order of classes',
    kind: 'decision',
    reason: 'The classes of a crossing have no order.',
    like: ['GraphHopper'],
    covers: ({ column, want, got }) => column === 'classes' && inAnyOrder(want) === inAnyOrder(got),
  },
  {
    id: 'time zones',
    kind: 'decision',
    reason: 'The clock is that of the place; OSRM reads no hours outside of the zones that it has files of.',
    like: ['Valhalla'],
    covers: ({ column }, { map }) => {
      const [place] = map.nodes;
      if (!instructions.test(column) || map.zone === undefined || place === undefined) return false;
      return timeZoneAt(place.lat, place.lng) !== zoneOfFile[map.zone];
    },
  },
  {
    id: 'general access',
    kind: 'decision',
    reason:
      'A road that is not for a mode opens by a tag for it or its kind of vehicle, not by `access=yes`.',
    like: [],
    covers: ({ want, got }, { kind, row }) =>
      kind === 'routability' &&
      want !== '' &&
      (got === '' || got === 'pushing bike') &&
      /^(yes|permissive|designated)$/.test(row['access'] ?? ''),
  },
  {
    id: 'sentences',
    kind: 'decision',
    reason: 'Messages are our own sentences; the code is that of OSRM.',
    like: ['Valhalla', 'GraphHopper'],
    covers: ({ column, got }) => column === 'message' && got !== '',
  },
  {
    id: 'sentences of commands',
    kind: 'decision',
    reason: 'Commands explain errors in sentences of their own, with the name that is wrong.',
    like: ['Valhalla', 'GraphHopper'],
    // A name of the command line is expected of every program.
    covers: ({ column, want, got }, { kind, request }) =>
      kind === 'program' && column === 'stderr' && got !== '' && want !== 'empty' && !request.includes(want),
  },
  {
    id: 'versions',
    kind: 'decision',
    reason: 'A version is three numbers, without a letter before them.',
    like: ['Valhalla'],
    covers: ({ column, want, got }, { kind, request }) =>
      kind === 'program' &&
      column === 'stdout' &&
      /^(-v|--version)$/.test(request) &&
      want.startsWith('/') &&
      /^\d+\.\d+\.\d+\n$/.test(got),
  },
  {
    id: 'data version',
    kind: 'decision',
    reason: 'The version of the data is that of the tiles and the metric, always given.',
    like: [],
    covers: ({ column }) => column === 'data_version',
  },
];
