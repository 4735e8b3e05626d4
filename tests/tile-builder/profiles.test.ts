import { describe, expect, it } from 'vitest';
import { readRules } from '#osm/profiles/read-way.js';
import { labels, RulesReader } from '#osm/profiles/rules-reader.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { CLOSED } from '#routing-engine/overlay/metric.js';
import { drawMap } from '../routing-engine/ascii-map.js';
import { LegalMoves } from './legal-moves.js';

type Tags = Readonly<Record<string, string>>;

/** The road in question is BC; G and H are the detour. */
const town = `
  A----B----C----D
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       |    |
       G----H
`;

/** For trucks see `truck.test.ts`. */
const asked = ['driving', 'bicycling', 'walking'] as const;

/**
 * `t`hrough for anyone, `e`nds only, or `n`ot at all: for driving, bicycling and walking; `p`: a bicycle is
 * pushed.
 */
type Verdicts = string;

/** What each mode may do on BC, in one direction; the route checker must find the same. */
async function verdictsOn(
  tags: Tags,
  backward = false,
  nodes: Readonly<Record<string, Tags>> = {},
): Promise<Verdicts> {
  const legal = new LegalMoves();
  const map = await drawMap(town, { ways: { BC: tags }, nodes, witness: legal.sink });
  const [into, across, round] = backward
    ? (['DC', 'DCBA', 'DCHGBA'] as const)
    : (['AB', 'ABCD', 'ABGHCD'] as const);
  let verdicts = '';
  for (const mode of asked) {
    const metric = map.metric(mode);
    const letters = (outcome: ReturnType<typeof map.route>): string =>
      outcome.status === 'ok' ? map.lettersOf(outcome.path.edges) : outcome.reason;
    const through = letters(map.route(into, across.slice(-2), metric));
    const visit = mayEnd(map, across.slice(1, 3), mode)
      ? letters(map.route(into, across.slice(1, 3), metric))
      : 'no road';
    expect([across, round]).toContain(through);
    const passes = (): string => (mode === 'bicycling' && isPushed(map, across.slice(1, 3)) ? 'p' : 't');
    const verdict = through === across ? passes() : visit === across.slice(0, 3) ? 'e' : 'n';
    verdicts += verdict;
    const wrong = (path: string): boolean => {
      const ids = path
        .split('')
        .slice(1)
        .map((letter, i) => map.idOf(path[i]!, letter));
      return legal.judge(ids, mode).length > 0;
    };
    expect({ tags, mode, backward, through: !wrong(across), visit: !wrong(across.slice(0, 3)) }).toEqual({
      tags,
      mode,
      backward,
      through: through === across,
      visit: verdict !== 'n',
    });
  }
  return verdicts;
}

const isPushed = (map: Awaited<ReturnType<typeof drawMap>>, road: string): boolean =>
  (map.network.edgeFlags(map.edge(road[0]!, road[1]!)) & edgeFlag.pushing) !== 0;

function mayEnd(map: Awaited<ReturnType<typeof drawMap>>, road: string, mode: TravelMode): boolean {
  try {
    return map.metric(mode).costMs[map.edge(road[0]!, road[1]!)] !== CLOSED;
  } catch {
    return false;
  }
}

/** Tags of BC, the expected access along it, and against it where they differ. */
const rules: Readonly<Record<string, readonly (readonly [Tags, Verdicts, Verdicts?])[]>> = {
  'classes of roads': [
    [{}, 'ttt'],
    [{ highway: 'motorway' }, 'tnn', 'nnn'],
    [{ highway: 'motorway', oneway: 'no' }, 'tnn'],
    [{ highway: 'motorway', oneway: 'no', bicycle: 'yes' }, 'ttn'],
    [{ highway: 'motorway', oneway: 'no', foot: 'yes' }, 'tpt', 'tnt'],
    [{ highway: 'motorway', oneway: 'no', access: 'yes' }, 'tnn'],
    [{ highway: 'motorway', oneway: 'no', 'cycleway:right': 'track' }, 'ttn'],
    [{ highway: 'motorway', oneway: 'no', cycleway: 'no' }, 'tnn'],
    [{ highway: 'footway', cycleway: 'lane' }, 'ntt'],
    [{ highway: 'steps', cycleway: 'track' }, 'npt'],
    [{ highway: 'trunk' }, 'ttn'],
    [{ highway: 'trunk', sidewalk: 'both' }, 'ttt'],
    [{ highway: 'trunk', 'sidewalk:right': 'yes' }, 'ttt'],
    [{ highway: 'trunk', sidewalk: 'no' }, 'ttn'],
    [{ highway: 'trunk', motorroad: 'yes', sidewalk: 'both' }, 'tnn'],
    [{ highway: 'trunk', motorroad: 'yes', foot: 'yes' }, 'tpt'],
    [{ highway: 'trunk', motorroad: 'yes', bicycle: 'yes' }, 'ttn'],
    [{ highway: 'trunk', motorroad: 'yes', access: 'yes' }, 'tnn'],
    [{ highway: 'motorway', oneway: 'no', sidewalk: 'right' }, 'tpt', 'tnt'],
    [{ highway: '', man_made: 'pier' }, 'npt'],
    [{ highway: '', man_made: 'pier', motor_vehicle: 'yes', bicycle: 'yes' }, 'ttt'],
    [{ highway: '', man_made: 'pier', access: 'private' }, 'nee'],
    [{ highway: '', railway: 'platform' }, 'npt'],
    [{ highway: '', public_transport: 'platform', foot: 'no' }, 'nnn'],
    [{ construction: 'yes' }, 'ntt'],
    [{ construction: 'minor' }, 'ttt'],
    [{ highway: 'footway' }, 'npt'],
    [{ highway: 'pedestrian' }, 'npt'],
    [{ highway: 'steps' }, 'npt'],
    [{ highway: 'steps', bicycle: 'yes', motor_vehicle: 'yes' }, 'npt'],
    [{ highway: 'cycleway' }, 'ntt'],
    [{ highway: 'path' }, 'ntt'],
    [{ highway: 'track' }, 'ntt'],
    [{ highway: 'track', motor_vehicle: 'yes' }, 'ttt'],
    [{ highway: 'busway' }, 'nnn'],
    [{ highway: 'busway', bicycle: 'yes' }, 'ntn'],
    [{ highway: 'construction', access: 'yes', motor_vehicle: 'yes', foot: 'yes' }, 'nnn'],
    [{ highway: 'proposed' }, 'nnn'],
    [{ highway: 'raceway', motor_vehicle: 'yes' }, 'nnn'],
    [{ highway: 'service', service: 'driveway' }, 'ttt'],
    [{ highway: 'service', service: 'parking_aisle' }, 'ttt'],
    [{ highway: 'service', service: 'emergency_access' }, 'npt'],
    [{ highway: 'pedestrian', area: 'yes' }, 'npt'],
    [{ highway: 'service', area: 'yes' }, 'npt'],
    [{ smoothness: 'impassable' }, 'npt'],
    [{ smoothness: 'very_horrible' }, 'ntt'],
    [{ hov: 'designated' }, 'ntt'],
  ],
  access: [
    [{ access: 'no' }, 'nnn'],
    [{ access: 'no', foot: 'yes' }, 'npt'],
    [{ access: 'private' }, 'eee'],
    [{ access: 'private', bicycle: 'permissive' }, 'ete'],
    [{ access: 'customers' }, 'eee'],
    [{ access: 'delivery' }, 'eee'],
    [{ access: 'permit' }, 'eee'],
    [{ access: 'unknown' }, 'ttt'],
    [{ access: 'taxi' }, 'nnn'],
    [{ access: 'minibus' }, 'nnn'],
    [{ access: 'emergency_vehicle' }, 'nnn'],
    [{ access: 'foot' }, 'nnt'],
    [{ access: 'bicycle;foot' }, 'ntt'],
    [{ motor_vehicle: 'destination' }, 'ett'],
    [{ vehicle: 'destination' }, 'eet'],
    [{ motor_vehicle: 'agricultural' }, 'ntt'],
    [{ motor_vehicle: 'agricultural;forestry' }, 'ntt'],
    [{ motor_vehicle: 'agricultural;destination' }, 'ett'],
    [{ motorcar: 'yes', motor_vehicle: 'no' }, 'ttt'],
    [{ motorcar: 'no', motor_vehicle: 'yes' }, 'ntt'],
    [{ bicycle: 'no' }, 'tnt'],
    [{ bicycle: 'dismount' }, 'tpt'],
    [{ bicycle: 'use_sidepath' }, 'tnt'],
    [{ foot: 'use_sidepath' }, 'ttn'],
    [{ highway: 'footway', bicycle: 'yes' }, 'ntt'],
    [{ highway: 'footway', bicycle: 'dismount' }, 'npt'],
    [{ highway: 'footway', bicycle: 'no' }, 'nnt'],
    [{ highway: 'footway', foot: 'no' }, 'nnn'],
    [{ highway: 'footway', access: 'private' }, 'nee'],
    [{ area: 'yes', access: 'private', bicycle: 'yes' }, 'npe'],
    [{ highway: 'footway', vehicle: 'private' }, 'eet'],
    [{ highway: 'path', bicycle: 'dismount', foot: 'destination' }, 'nee'],
    [{ oneway: 'yes', access: 'private', foot: 'yes' }, 'eet', 'npt'],
    [{ oneway: 'yes', vehicle: 'no' }, 'nnt'],
    [{ 'vehicle:backward': 'no' }, 'ttt', 'nnt'],
    [{ 'bicycle:backward': 'dismount' }, 'ttt', 'tpt'],
    [{ highway: 'corridor' }, 'nnt'],
    [{ highway: 'platform' }, 'npt'],
    [{ highway: 'bridleway' }, 'nnt'],
    [{ highway: 'bridleway', foot: 'yes' }, 'npt'],
    [{ highway: 'steps', conveying: 'yes' }, 'nnt'],
    [{ junction: 'roundabout' }, 'ttt', 'nnt'],
    // `Everybody` means everybody on foot; only a tag for vehicles lets them on a footway.
    [{ highway: 'footway', access: 'permissive' }, 'npt'],
    [{ highway: 'footway', access: 'yes', motor_vehicle: 'yes' }, 'tpt'],
    [{ highway: 'footway', motor_vehicle: 'destination' }, 'ept'],
    [{ highway: 'pedestrian', motor_vehicle: 'destination' }, 'ept'],
    [{ highway: 'pedestrian', access: 'destination' }, 'nee'],
    [{ 'motor_vehicle:backward': 'no' }, 'ttt', 'ntt'],
    [{ 'vehicle:forward': 'destination' }, 'eet', 'ttt'],
    [{ access: 'no', 'access:forward': 'yes' }, 'ttt', 'nnn'],
  ],
  directions: [
    [{ oneway: 'yes' }, 'ttt', 'npt'],
    [{ oneway: '-1' }, 'npt', 'ttt'],
    [{ oneway: 'no' }, 'ttt'],
    [{ oneway: 'yes', 'oneway:bicycle': 'no' }, 'ttt', 'ntt'],
    [{ oneway: 'yes', 'oneway:bicycle': '-1' }, 'tpt', 'ntt'],
    [{ 'oneway:motor_vehicle': 'yes' }, 'ttt', 'ntt'],
    [{ oneway: 'yes', cycleway: 'opposite' }, 'ttt', 'ntt'],
    [{ oneway: 'yes', 'cycleway:left': 'opposite_lane' }, 'ttt', 'ntt'],
    [{ oneway: 'yes', cycleway: 'lane' }, 'ttt', 'npt'],
    [{ 'oneway:foot': 'yes' }, 'ttt', 'ttn'],
    [{ highway: 'steps', conveying: 'forward' }, 'nnt', 'nnn'],
    [{ highway: 'steps', conveying: 'backward' }, 'nnn', 'nnt'],
    [{ highway: 'steps', conveying: 'reversible' }, 'nnt'],
    [{ highway: 'steps', conveying: 'yes' }, 'nnt'],
    [{ junction: 'roundabout' }, 'ttt', 'nnt'],
    [{ junction: 'circular' }, 'ttt', 'nnt'],
    [{ junction: 'roundabout', oneway: 'no' }, 'ttt'],
    // By the hour: unknown. Alternating every few minutes: a driver waits.
    [{ oneway: 'reversible' }, 'npt'],
    [{ oneway: 'alternating' }, 'ttt'],
    [{ oneway: 'alternating', junction: 'roundabout' }, 'ttt', 'nnt'],
  ],
  conditions: [
    // At any hour; hours.test.ts has them hour by hour.
    [{ 'motor_vehicle:conditional': 'no @ (Mo-Fr 07:00-09:00)' }, 'ntt'],
    [{ 'motor_vehicle:conditional': 'no @ Mo-Fr 12:45-13:30' }, 'ntt'],
    [{ 'motor_vehicle:conditional': 'destination @ (Mo-Fr 07:00-09:00)' }, 'ett'],
    [{ 'access:conditional': 'no @ (sunset-sunrise)', foot: 'yes' }, 'eet'],
    [{ 'foot:conditional': 'no @ (23:30-05:00)' }, 'ttn'],
    [{ 'motor_vehicle:conditional': 'no @ (24/7)' }, 'ntt'],
    [{ motor_vehicle: 'no', 'motor_vehicle:conditional': 'yes @ (18:00-06:00)' }, 'ntt'],
    [{ motor_vehicle: 'no', 'motor_vehicle:conditional': 'destination @ (Mo-Sa 06:00-11:00)' }, 'ntt'],
    [{ 'access:conditional': 'no @ (weight>7.5)' }, 'ttt'],
    [{ 'access:conditional': 'no @ (7:30-19:00 AND weight>7.5)' }, 'ttt'],
    [{ 'access:conditional': 'no @ (wet)' }, 'ttt'],
    [{ 'access:conditional': 'no @ (2016 Apr 25 - 2016 Sep 26)' }, 'ttt'],
    [{ 'access:conditional': 'no @ (schooldays only)' }, 'eee'],
    [{ 'motor_vehicle:conditional': 'yes @ (weight<3.5); no @ (07:00-09:00)' }, 'ntt'],
    [{ 'oneway:conditional': 'yes @ (07:00-09:00)' }, 'ttt', 'nnt'],
    [{ oneway: 'yes', 'oneway:conditional': 'no @ (20:00-06:00)' }, 'ttt', 'nnt'],
    [{ oneway: 'yes', 'oneway:conditional': '-1 @ (15:00-20:00)' }, 'nnt'],
  ],
  ferries: [
    [{ highway: '', route: 'ferry', duration: '00:01' }, 'ttt'],
    [{ highway: '', route: 'ferry', foot: 'yes', duration: '00:01' }, 'ntt'],
    [{ highway: '', route: 'ferry', foot: 'yes', motor_vehicle: 'yes', duration: '00:01' }, 'ttt'],
    [{ highway: '', route: 'ferry', motor_vehicle: 'no', duration: '00:01' }, 'ntt'],
    [{ highway: '', route: 'shuttle_train', bicycle: 'yes', duration: '00:01' }, 'ttt'],
    [
      {
        highway: '',
        route: 'shuttle_train',
        foot: 'no',
        bicycle: 'no',
        motor_vehicle: 'yes',
        duration: '00:01',
      },
      'tnn',
    ],
    [{ highway: '', route: 'train' }, 'nnn'],
  ],
};

describe('access of a mode to a road', () => {
  for (const [group, rows] of Object.entries(rules))
    it(`M-021: ${group}`, async () => {
      for (const [tags, along, against = along] of rows) {
        expect([tags, await verdictsOn(tags)]).toEqual([tags, along]);
        expect([tags, await verdictsOn(tags, true)]).toEqual([tags, against]);
      }
    });

  it('M-021: barriers, by their kind and by their tags', async () => {
    const rows: readonly (readonly [Tags, Verdicts])[] = [
      [{ barrier: 'bollard' }, 'ntt'],
      [{ barrier: 'bollard', bollard: 'rising' }, 'ttt'],
      [{ barrier: 'bollard', access: 'yes' }, 'ttt'],
      [{ barrier: 'wall', access: 'permissive' }, 'ttt'],
      [{ barrier: 'bollard', motor_vehicle: 'yes' }, 'ttt'],
      [{ barrier: 'block' }, 'ntt'],
      [{ barrier: 'gate' }, 'ttt'],
      [{ barrier: 'gate', locked: 'yes' }, 'nnn'],
      [{ barrier: 'gate', locked: 'yes', foot: 'yes' }, 'nnt'],
      [{ barrier: 'gate', access: 'private' }, 'eee'],
      [{ barrier: 'gate', access: 'private', locked: 'yes' }, 'eee'],
      [{ barrier: 'gate', access: 'private', foot: 'yes' }, 'eet'],
      [{ barrier: 'lift_gate', access: 'private', bicycle: 'yes', foot: 'designated' }, 'ett'],
      [{ barrier: 'gate', access: 'no' }, 'nnn'],
      [{ barrier: 'gate', access: 'no', foot: 'permissive' }, 'nnt'],
      [{ barrier: 'gate', access: 'customers' }, 'eee'],
      [{ barrier: 'gate', 'access:conditional': 'private @ (22:00-06:00)' }, 'nnn'],
      [{ barrier: 'gate', foot: 'no' }, 'ttn'],
      [{ barrier: 'gate', motor_vehicle: 'no' }, 'ntt'],
      [{ barrier: 'lift_gate' }, 'ttt'],
      [{ barrier: 'lift_gate', vehicle: 'private' }, 'eet'],
      [{ barrier: 'cycle_barrier' }, 'ntt'],
      [{ barrier: 'cycle_barrier', bicycle: 'no' }, 'nnt'],
      [{ barrier: 'stile' }, 'nnt'],
      [{ barrier: 'kissing_gate' }, 'nnt'],
      [{ barrier: 'cattle_grid' }, 'ttt'],
      [{ barrier: 'toll_booth' }, 'ttt'],
      [{ barrier: 'kerb' }, 'ntt'],
      [{ barrier: 'kerb', kerb: 'lowered' }, 'ttt'],
      [{ barrier: 'fence' }, 'nnn'],
      [{ barrier: 'fence', sensory: 'audible' }, 'ttt'],
      [{ barrier: 'wall', foot: 'yes' }, 'nnt'],
    ];
    const lane = `
  A----B----X----C----D
       |         |
       |         |
       |         |
       G---------H
`;
    for (const [tags, expected] of rows) {
      const legal = new LegalMoves();
      const map = await drawMap(lane, { nodes: { X: tags }, witness: legal.sink });
      let verdicts = '';
      for (const mode of asked) {
        const outcome = map.route('AB', 'CD', map.metric(mode));
        const path = outcome.status === 'ok' ? map.lettersOf(outcome.path.edges) : outcome.reason;
        expect(['ABXCD', 'ABGHCD']).toContain(path);
        // To the road behind the barrier.
        const visit = map.route('AB', 'XC', map.metric(mode));
        const isOpen = visit.status === 'ok' && map.lettersOf(visit.path.edges) === 'ABXC';
        verdicts += path === 'ABXCD' ? 't' : isOpen ? 'e' : 'n';
        const ids = [map.idOf('A', 'B'), map.idOf('B', 'X'), map.idOf('X', 'C'), map.idOf('C', 'D')];
        const judged = [legal.judge(ids, mode), legal.judge(ids.slice(0, 3), mode)];
        expect([tags, mode, ...judged.map(({ length }) => length === 0)]).toEqual([
          ...[tags, mode, path === 'ABXCD', isOpen],
        ]);
      }
      expect([tags, verdicts]).toEqual([tags, expected]);
    }
  });

  it('M-025: tolls for cars, ferries and unpaved roads are marked, others are not', async () => {
    const rows: readonly (readonly [Tags, keyof typeof edgeFlag, boolean])[] = [
      [{ toll: 'yes' }, 'toll', true],
      [{ toll: 'no' }, 'toll', false],
      [{ 'toll:hgv': 'yes' }, 'toll', false],
      [{ 'toll:N3': 'yes' }, 'toll', false],
      [{ 'toll:motorcar': 'yes' }, 'toll', true],
      [{ toll: 'yes', 'toll:motorcar': 'no' }, 'toll', false],
      [{ highway: '', route: 'ferry' }, 'ferry', true],
      [{ highway: '', route: 'shuttle_train' }, 'ferry', true],
      [{ surface: 'gravel' }, 'unpaved', true],
      [{ surface: 'asphalt' }, 'unpaved', false],
      [{ highway: 'track' }, 'unpaved', true],
      [{ highway: 'track', tracktype: 'grade1' }, 'unpaved', false],
      [{ highway: 'motorway_link' }, 'motorway', true],
      [{ highway: 'trunk', motorroad: 'yes' }, 'motorway', false],
      [{ junction: 'circular' }, 'roundabout', true],
    ];
    for (const [tags, flag, carried] of rows) {
      const { network, edge } = await bc(tags);
      expect([tags, flag, (network.edgeFlags(edge) & edgeFlag[flag]) !== 0]).toEqual([tags, flag, carried]);
    }
  });

  it('ways that differ only in names and similar tags are read once, with the same result', () => {
    const values = ['yes', 'no', 'private', '-1', '50', 'opposite', 'PT1H', 'no @ (Mo 07:00-09:00)'];
    for (const kind of ['residential', 'footway', 'motorway_link', 'steps', 'bridleway'])
      for (const key of [...labels, 'name:en'])
        for (const value of values) {
          const plain = new Map([['highway', kind]]);
          const labelled = new Map([...plain, [key, value]]);
          expect([key, value, readRules(labelled, 0)]).toEqual([key, value, readRules(plain, 0)]);
        }
    const reader = new RulesReader();
    const read = (tags: Record<string, string>, lengthM = 0) =>
      reader.read(new Map(Object.entries(tags)), lengthM, undefined);
    const street = { highway: 'residential', name: 'A' };
    expect(read(street)).toBe(read({ ...street, name: 'B' }));
    expect(read({ ...street, maxspeed: '30' })).toEqual(
      readRules(new Map(Object.entries({ ...street, maxspeed: '30' })), 0),
    );
    const ferry = { route: 'ferry', duration: '01:00' };
    expect(read(ferry, 9_000)!.forwardKph).not.toEqual(read(ferry, 18_000)!.forwardKph);
    expect(read({ building: 'yes' })).toBeUndefined();
  });

  it('speeds: limits in all spellings, advisory speeds, surfaces, tracks, ferries by duration', async () => {
    const primary = { highway: 'primary' };
    const rows: readonly (readonly [Tags, TravelMode, number, number?])[] = [
      [{ ...primary, maxspeed: '100' }, 'driving', 80],
      [{ ...primary, maxspeed: '30 mph' }, 'driving', 39],
      [{ ...primary, maxspeed: '10 knots' }, 'driving', 15],
      [{ ...primary, maxspeed: 'walk' }, 'driving', 8],
      [{ ...primary, maxspeed: 'none' }, 'driving', 112],
      [{ ...primary, maxspeed: 'RO:urban' }, 'driving', 40],
      [{ ...primary, maxspeed: 'DE:zone:30' }, 'driving', 24],
      [{ ...primary, maxspeed: 'DE:zone30' }, 'driving', 24],
      [{ ...primary, maxspeed: 'signals' }, 'driving', 65],
      [{ ...primary, maxspeed: '0' }, 'driving', 65],
      [{ ...primary, 'zone:maxspeed': 'DE:20' }, 'driving', 16],
      [{ ...primary, 'maxspeed:type': 'DE:rural' }, 'driving', 80],
      [{ ...primary, 'source:maxspeed': 'CH:rural' }, 'driving', 64],
      [{ ...primary, maxspeed: 'BE-VLG:rural' }, 'driving', 56],
      [{ ...primary, maxspeed: 'QQ:rural' }, 'driving', 72],
      [{ ...primary, maxspeed: 'RU:urban' }, 'driving', 48],
      [{ ...primary, 'maxspeed:type': 'GB:nsl_single' }, 'driving', 78],
      [{ ...primary, 'maxspeed:type': 'UK:nsl_dual' }, 'driving', 90],
      [{ highway: 'motorway', maxspeed: 'DE:motorway' }, 'driving', 112, 0],
      [{ ...primary, maxspeed: 'LV:living_street' }, 'driving', 16],
      [{ ...primary, maxspeed: '70', 'source:maxspeed': 'DE:rural' }, 'driving', 56],
      [{ ...primary, maxspeed: '50', 'maxspeed:forward': '100' }, 'driving', 80, 40],
      [{ ...primary, 'maxspeed:backward': '20' }, 'driving', 65, 16],
      [{ ...primary, 'maxspeed:lanes': '60|80|100' }, 'driving', 80],
      [{ ...primary, maxspeed: '100', 'maxspeed:advisory': '40' }, 'driving', 32],
      [{ ...primary, maxspeed: '100', 'maxspeed:conditional': '30 @ (22:00-06:00)' }, 'driving', 80],
      [{ ...primary, maxspeed: '100', surface: 'sett' }, 'driving', 40],
      [{ ...primary, maxspeed: '100' }, 'bicycling', 16],
      [{ ...primary, surface: 'sett' }, 'bicycling', 10],
      [{ highway: 'track', tracktype: 'grade5', motorcar: 'yes' }, 'bicycling', 8],
      // A limit slows a cyclist down and makes nobody faster.
      [{ ...primary, maxspeed: '10' }, 'bicycling', 10],
      [{ ...primary, 'maxspeed:backward': '5 mph' }, 'bicycling', 16, 8],
      [{ ...primary, 'cycleway:right': 'lane' }, 'bicycling', 17],
      [{ ...primary, cycleway: 'track' }, 'bicycling', 18],
      [{ ...primary, cycleway: 'shared_lane' }, 'bicycling', 16],
      [{ highway: 'residential', bicycle_road: 'yes' }, 'bicycling', 18],
      [{ highway: 'path' }, 'bicycling', 12],
      [{ highway: 'path', surface: 'asphalt' }, 'bicycling', 16],
      [{ highway: 'path', surface: 'asphalt', bicycle: 'designated' }, 'bicycling', 17],
      [{ highway: 'path', surface: 'gravel', bicycle: 'designated', segregated: 'yes' }, 'bicycling', 10],
      [{ highway: 'footway', bicycle: 'yes' }, 'bicycling', 12],
      [{ highway: 'footway', bicycle: 'designated' }, 'bicycling', 15],
      [{ highway: 'cycleway', smoothness: 'intermediate' }, 'bicycling', 15],
      [{ highway: 'cycleway', surface: 'unhewn_cobblestone' }, 'bicycling', 7],
      // Uphill in the drawn direction; BC is drawn that way.
      [{ highway: 'cycleway', incline: '6%' }, 'bicycling', 8, 25],
      [{ highway: 'cycleway', incline: '-6 %' }, 'bicycling', 25, 8],
      [{ highway: 'cycleway', incline: '2°' }, 'bicycling', 12, 23],
      [{ highway: 'cycleway', incline: '20%' }, 'bicycling', 4, 18],
      [{ highway: 'cycleway', incline: '0.5%' }, 'bicycling', 18],
      [{ highway: 'cycleway', incline: '6%', surface: 'sett' }, 'bicycling', 8, 10],
      [{ highway: 'cycleway', incline: '6%', maxspeed: '20' }, 'bicycling', 8, 20],
      ...['up', '90%', '60°', '6', 'steep'].map(
        (incline) => [{ highway: 'cycleway', incline }, 'bicycling', 18] as const,
      ),
      [{ highway: 'cycleway', incline: '20%' }, 'walking', 5],
      [{ highway: 'track', tracktype: 'grade5', motorcar: 'yes', maxspeed: '50' }, 'driving', 20],
      [{ highway: 'service', service: 'parking_aisle', maxspeed: '50' }, 'driving', 10],
      [{ highway: 'steps' }, 'walking', 3],
      [{ ...primary, oneway: 'alternating', maxspeed: '50' }, 'driving', 16],
      // BC is 200 m: in 2 minutes 6 km/h.
      [{ highway: '', route: 'ferry', duration: '00:02' }, 'driving', 6],
      [{ highway: '', route: 'ferry', duration: '00:02:00' }, 'walking', 6],
      [{ highway: '', route: 'ferry', duration: 'PT2M' }, 'bicycling', 6],
      [{ highway: '', route: 'ferry', duration: 'soon' }, 'driving', 15],
    ];
    for (const [tags, mode, along, against = along] of rows) {
      const { network, edge } = await bc(tags);
      const back = network.reverseOf(edge);
      const kphBack = back === undefined ? 0 : network.freeFlowKph(back, mode);
      expect([tags, network.freeFlowKph(edge, mode), kphBack]).toEqual([tags, along, against]);
    }
  });
});

async function bc(tags: Tags) {
  const map = await drawMap(town, { ways: { BC: tags } });
  return { network: map.network, edge: map.edge('B', 'C') };
}
