import { turnAngle } from '#routing-engine/guidance/turn-angle.js';
import { FORBIDDEN_TURN } from '#routing-engine/network/network-arrays.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { turnDs } from '#routing-engine/network/turn-cost.js';
import type { Fixture, FixtureWay } from '../tile-builder/osm-fixture.js';
import type { ProfileScript } from './profile-script.js';

/** A profile of OSRM that exists for its own tests. */
export const isTestbot = ({ profile }: { readonly profile: string }): boolean =>
  /^(test|turn)bot$/.test(profile);

/** km/h of OSRM's testbot, which many scenarios use because its times are easy to add up. */
const kphOf: Readonly<Record<string, number>> = { primary: 36, secondary: 18, tertiary: 12, steps: 6 };
const otherKph = 24;
/** A car drives this share of a limit. */
const drivenShare = 0.8;
/** A turn of 180 degrees costs this, all other turns nothing. */
const uturnDs = 200;

const positive = (text: string | undefined): number | undefined =>
  Number(text) > 0 ? Number(text) : undefined;

/** Seconds of `HH:MM`, `HH:MM:SS` or ISO 8601. */
function secondsOf(text: string | undefined): number | undefined {
  const clock = /^(\d+):(\d\d)(?::(\d\d))?$/.exec(text ?? '');
  if (clock !== null) return 3600 * Number(clock[1]) + 60 * Number(clock[2]) + Number(clock[3] ?? 0);
  const iso = /^PT(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?$/.exec(text ?? '');
  return iso === null
    ? undefined
    : 3600 * Number(iso[1] ?? 0) + 60 * Number(iso[2] ?? 0) + Number(iso[3] ?? 0);
}

/** Ways with a mode of their own in testbot: rivers, steps and routes. They are ferries here. */
const isCarried = ({ highway, route }: FixtureWay['tags']): boolean =>
  highway === 'river' || highway === 'steps' || (highway === undefined && route !== undefined);
const carriedModes = /river (?:down|up)stream|steps (?:down|up)|route/g;

/** Modes of testbot in the words of this engine. */
export const servedModes = (modes: string): string => modes.replaceAll(carriedModes, 'ferry');

/** A way of testbot that is a ferry here: one for each direction, which has a time of its own. */
function carried(way: FixtureWay, lengthM: number, script: ProfileScript): FixtureWay[] {
  const { tags } = drivable(way, lengthM, script);
  return (['forward', 'backward'] as const)
    .filter((direction) => tags['oneway'] !== (direction === 'forward' ? '-1' : 'yes'))
    .map((direction) => ({
      id: direction === 'forward' ? way.id : 2_000_000 + way.id,
      refs: way.refs,
      tags: {
        route: 'ferry',
        name: tags['name'] ?? '',
        oneway: direction === 'forward' ? 'yes' : '-1',
        duration: clock((3.6 * lengthM) / (drivenShare * Number(tags[`maxspeed:${direction}`]))),
      },
    }));
}

const clock = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.round(seconds) % 60]
    .map((each) => String(each).padStart(2, '0'))
    .join(':');

/** A way of testbot as one for cars, which has the same speeds, directions and classes. */
function drivable({ tags, ...way }: FixtureWay, lengthM: number, script: ProfileScript): FixtureWay {
  const { highway = '', maxspeed, oneway, junction, toll, name, ref } = tags;
  const usual = kphOf[highway] ?? otherKph;
  const both = Math.min(usual, positive(maxspeed) ?? usual);
  const seconds = script.wayS ?? secondsOf(tags['duration']);
  const kphIn = (direction: string, share: number): number =>
    script.wayKph ??
    (seconds === undefined
      ? (positive(tags[`maxspeed:${direction}`]) ?? (highway === 'river' ? usual * share : both))
      : (3.6 * lengthM) / seconds);
  const limit = (kph: number): string => String(Math.round((10_000 * kph) / drivenShare) / 10_000);
  const isOneway =
    /^(yes|1|true)$/.test(oneway ?? '') ||
    (junction === 'roundabout' && !/^(no|0|false|-1)$/.test(oneway ?? ''));
  const made: Record<string, string | undefined> = {
    highway: ['motorway', 'primary', 'secondary', 'tertiary'].includes(highway) ? highway : 'unclassified',
    'maxspeed:forward': limit(kphIn('forward', 1.5)),
    'maxspeed:backward': limit(kphIn('backward', 1 / 1.5)),
    oneway: oneway === '-1' ? '-1' : isOneway ? 'yes' : 'no',
    junction: junction === 'roundabout' ? junction : undefined,
    toll: toll === 'yes' ? toll : undefined,
    name: script.isNameless === true ? undefined : name,
    ref,
  };
  return {
    ...way,
    tags: Object.fromEntries(
      Object.entries(made).filter((each): each is [string, string] => each[1] !== undefined),
    ),
  };
}

/** Metres of a way on a sphere; testbot needs it for ways with a duration only. */
function lengthOf({ nodes }: Fixture, refs: readonly number[]): number {
  const rad = Math.PI / 180;
  const places = refs.map((ref) => nodes.find(({ id }) => id === ref)!);
  return places.slice(1).reduce((sum, { lng, lat }, at) => {
    const before = places[at]!;
    const east = (lng - before.lng) * Math.cos(lat * rad);
    return sum + 6_371_000 * rad * Math.hypot(east, lat - before.lat);
  }, 0);
}

/** Metres of the longest stretch between two nodes of a way. */
export const longestStretchM = (elements: Fixture): number =>
  Math.max(
    0,
    ...elements.ways.flatMap(({ refs }) =>
      refs.slice(1).map((ref, at) => lengthOf(elements, [refs[at]!, ref])),
    ),
  );

/** One way for each stretch between two nodes of a way. */
const inSegments = ({ ways, ...elements }: Fixture): Fixture => ({
  ...elements,
  ways: ways.flatMap((way) =>
    way.refs.slice(1).map((ref, at) => ({
      ...way,
      id: at === 0 ? way.id : 1_000_000 + 1_000 * way.id + at,
      refs: [way.refs[at]!, ref],
    })),
  ),
});

interface Testbot {
  readonly script: ProfileScript;
  /** Whether modes are compared: then ways with a mode of their own are ferries. */
  readonly hasModes: boolean;
}

export function testbotElements(elements: Fixture, { script, hasModes }: Testbot): Fixture {
  const { segmentS } = script;
  const { nodes, ways, ...rest } = segmentS === undefined ? elements : inSegments(elements);
  const timed = segmentS === undefined ? script : { ...script, wayS: segmentS };
  return {
    ...rest,
    nodes: nodes.map(({ id, lng, lat }) => ({ id, lng, lat })),
    ways: ways.flatMap((way) => {
      const lengthM = lengthOf(elements, way.refs);
      return hasModes && isCarried(way.tags) ? carried(way, lengthM, timed) : [drivable(way, lengthM, timed)];
    }),
  };
}

/** Tenths of a second of a turn that is not forbidden, by its angle: 0 is straight on, 180 back. */
function turnsByAngle(network: RoadNetwork, dsOf: (angle: number) => number): void {
  const { arrays, nodeCount } = network;
  const { firstIn, inEdges, firstOut, turnTable } = arrays;
  // Nodes share tables; here each has its own.
  const costs: number[] = [];
  for (let node = 0; node < nodeCount; node++) {
    const table = costs.length;
    for (let at = firstIn[node]!; at < firstIn[node + 1]!; at++)
      for (let to = firstOut[node]!; to < firstOut[node + 1]!; to++) {
        const from = inEdges[at]!;
        const isOpen = turnDs(network, 'driving', from, to) !== undefined;
        costs.push(isOpen ? dsOf(Math.abs(turnAngle(network, from, to))) : FORBIDDEN_TURN);
      }
    turnTable[node] = table;
  }
  Object.assign(arrays, { turnCostsDs: Uint8Array.from(costs) });
}

/** OSRM's turnbot: a turn takes a share of the time of one of 180 degrees, by its angle. */
export const turnbotTurns = (network: RoadNetwork): void =>
  turnsByAngle(network, (angle) => Math.round((uturnDs * angle) / 180));

/** Angles are computed from rounded places: a line is straight on up to this. */
const STRAIGHT_DEG = 1;

/** No turn costs anything but one of 180 degrees, or all that are not straight on the same. */
export const testbotTurns =
  ({ freeUturns = false, turnS }: ProfileScript) =>
  (network: RoadNetwork): void => {
    if (turnS !== undefined) {
      turnsByAngle(network, (angle) => (angle < STRAIGHT_DEG ? 0 : Math.round(10 * turnS)));
      return;
    }
    const { turnCostsDs } = network.arrays;
    const roundDs = freeUturns ? 0 : uturnDs;
    for (let at = 0; at < turnCostsDs.length; at++)
      if (turnCostsDs[at] !== FORBIDDEN_TURN) turnCostsDs[at] = turnCostsDs[at]! >= uturnDs ? roundDs : 0;
  };
