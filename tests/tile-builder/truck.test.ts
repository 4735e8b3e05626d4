import { describe, expect, it } from 'vitest';
import { readRules } from '#osm/profiles/read-way.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import { usualTruck, type Vehicle } from '#routing-engine/network/vehicle.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findNear } from '#routing-engine/route/find-near.js';
import { type DrawnMap, drawMap, type MapRules } from '../routing-engine/ascii-map.js';
import { LegalMoves } from './legal-moves.js';

type Tags = Readonly<Record<string, string>>;

/** The road in question is BC; G and H are the detour. */
const town = `
  A----B----C----D
       |    |
       |    |
       |    |
       |    |
       G----H
`;

const metricOf = ({ network }: DrawnMap, vehicle: Partial<Vehicle> = {}) => ({
  ...freeFlowMetric(network, 'truck'),
  vehicle: { ...usualTruck, ...vehicle },
});

const lettersOf = (map: DrawnMap, first: string, last: string, vehicle?: Partial<Vehicle>): string => {
  const found = map.route(first, last, metricOf(map, vehicle));
  return found.status === 'ok' ? map.lettersOf(found.path.edges) : found.reason;
};

/** `t`hrough BC for the vehicle, `e`nds only, or `n`ot at all; the route checker must find the same. */
async function verdictOn(tags: Tags, vehicle?: Partial<Vehicle>, backward = false): Promise<string> {
  const legal = new LegalMoves();
  const map = await drawMap(town, { ways: { BC: tags }, witness: legal.sink });
  const [into, across, round] = backward
    ? (['DC', 'DCBA', 'DCHGBA'] as const)
    : (['AB', 'ABCD', 'ABGHCD'] as const);
  const through = lettersOf(map, into, across.slice(-2), vehicle);
  expect([across, round]).toContain(through);
  const isOpen = (): boolean => {
    try {
      return lettersOf(map, into, across.slice(1, 3), vehicle) === across.slice(0, 3);
    } catch {
      return false;
    }
  };
  const verdict = through === across ? 't' : isOpen() ? 'e' : 'n';
  if (vehicle === undefined) {
    const judge = (path: string): boolean => {
      const ids = path
        .slice(1)
        .split('')
        .map((letter, i) => map.idOf(path[i]!, letter));
      return legal.judge(ids, 'truck').length === 0;
    };
    const judged = judge(across) ? 't' : judge(across.slice(0, 3)) ? 'e' : 'n';
    expect([tags, backward, judged]).toEqual([tags, backward, verdict]);
  }
  return verdict;
}

const light = { weightKg: 7_000, axleLoadKg: 5_000 };
const low = { heightMm: 3_000, widthMm: 2_000, lengthMm: 7_000 };

describe('roads for a truck', () => {
  const rows: Readonly<Record<string, readonly (readonly [Tags, string, Partial<Vehicle>?])[]>> = {
    access: [
      [{}, 't'],
      [{ hgv: 'no' }, 'n'],
      [{ motorcar: 'no' }, 't'],
      [{ motor_vehicle: 'no', hgv: 'designated' }, 't'],
      [{ hgv: 'destination' }, 'e'],
      [{ hgv: 'delivery' }, 'e'],
      [{ motor_vehicle: 'destination', hgv: 'yes' }, 't'],
      [{ goods: 'no' }, 'n'],
      [{ goods: 'no', hgv: 'yes' }, 't'],
      [{ motor_vehicle: 'no', goods: 'yes' }, 'n'],
      [{ highway: 'pedestrian' }, 'n'],
      [{ highway: 'pedestrian', hgv: 'delivery' }, 'e'],
    ],
    'heights, widths and lengths': [
      [{ maxheight: '4' }, 't'],
      [{ maxheight: '3.9' }, 'n'],
      [{ maxheight: '3.9' }, 't', { heightMm: 3_900 }],
      [{ maxheight: '3.9' }, 'n', { heightMm: 3_901 }],
      [{ maxheight: '13\'6"' }, 't', { heightMm: 4_110 }],
      [{ maxheight: '13\'6"' }, 'n', { heightMm: 4_120 }],
      [{ maxheight: "13'" }, 'n'],
      [{ maxheight: '380 cm' }, 'n', { heightMm: 3_810 }],
      [{ maxheight: '12 ft 6 in' }, 't', { heightMm: 3_810 }],
      [{ maxheight: '12 ft 6 in' }, 'n', { heightMm: 3_811 }],
      [{ maxheight: 'default' }, 't'],
      [{ maxheight: 'none' }, 't'],
      [{ maxheight: 'below_default' }, 'n'],
      [{ maxheight: '4.2', 'maxheight:physical': '3.9' }, 'n'],
      [{ 'maxheight:hgv': '3.9' }, 'n'],
      [{ maxwidth: '2.5' }, 'n'],
      [{ maxwidth: '2.55' }, 't'],
      [{ width: '2.55' }, 'n'],
      [{ width: '2.56' }, 't'],
      [{ est_width: '2' }, 'n'],
      [{ maxwidth: '2.5' }, 't', low],
      [{ maxlength: '12' }, 'n'],
      [{ maxlength: '12' }, 't', low],
      [{ maxlength: '12;10' }, 'n', { lengthMm: 11_000 }],
    ],
    'weights and loads': [
      [{ maxweight: '40' }, 't'],
      [{ maxweight: '7.5' }, 'n'],
      [{ maxweight: '7.5 t' }, 't', light],
      [{ maxweight: '7500 kg' }, 't', light],
      [{ maxweight: '15000 lbs' }, 'n', light],
      [{ maxweight: '15500 lbs' }, 't', light],
      [{ maxweight: '8 st' }, 't', light],
      [{ maxweight: '7 st' }, 'n', light],
      [{ 'maxweight:hgv': '3.5' }, 'n', light],
      [{ maxweightrating: '7.5' }, 'n'],
      [{ maxaxleload: '11.5' }, 't'],
      [{ maxaxleload: '8' }, 'n'],
      [{ maxaxleload: '8' }, 't', light],
      [{ maxweight: 'unsigned' }, 't'],
    ],
    conditions: [
      [{ 'maxweight:conditional': '7.5 @ (22:00-06:00)' }, 'n'],
      [{ 'maxweight:conditional': '7.5 @ (22:00-06:00)' }, 't', light],
      [{ maxweight: '7.5', 'maxweight:conditional': 'none @ destination' }, 'e'],
      [{ maxweight: '44', 'maxweight:conditional': 'none @ (delivery)' }, 't'],
      [{ maxweight: '44', 'maxweight:conditional': 'none @ (delivery)' }, 'n', { weightKg: 50_000 }],
      [{ maxheight: '3.5', maxweight: '7.5', 'maxweight:conditional': 'none @ destination' }, 'n'],
      [{ 'hgv:conditional': 'no @ (weight>7.5)' }, 'n'],
      [{ 'hgv:conditional': 'no @ (weight>7)' }, 't', light],
      [{ 'hgv:conditional': 'no @ (weight>=7)' }, 'n', light],
      [{ 'hgv:conditional': 'destination @ (weight>7.5)' }, 'e'],
      [{ 'motor_vehicle:conditional': 'no @ (length>12 m)' }, 'n'],
      [{ 'access:conditional': 'no @ (axleload>8)' }, 'n'],
      [{ 'maxweight:conditional': '12 @ (bus)' }, 't'],
    ],
    'dangerous goods': [
      [{ hazmat: 'no' }, 't'],
      [{ hazmat: 'no' }, 'n', { hazmat: true }],
      [{ 'hazmat:E': 'no' }, 'n', { hazmat: true }],
      [{ hazmat: 'designated' }, 't', { hazmat: true }],
      [{ hazmat: 'destination' }, 'n', { hazmat: true }],
      [{ 'hgv:conditional': 'no @ (hazmat)' }, 'n', { hazmat: true }],
    ],
  };
  for (const [name, group] of Object.entries(rows))
    it(`M-021: ${name} of trucks`, async () => {
      for (const [tags, expected, vehicle] of group)
        expect([tags, vehicle, await verdictOn(tags, vehicle)]).toEqual([tags, vehicle, expected]);
    });

  it('M-021: a limit of one direction leaves the other open', async () => {
    const tags = { 'maxweight:forward': '7.5', 'maxheight:hgv:backward': '4' };
    expect(await verdictOn(tags)).toBe('n');
    expect(await verdictOn(tags, undefined, true)).toBe('t');
    expect(await verdictOn({ oneway: 'yes', 'oneway:hgv': 'no' }, undefined, true)).toBe('t');
  });

  it('M-021: a barrier stops what is too large, on the way over it', async () => {
    const lane = `
  A----B----X----C----D
       |         |
       |         |
       |         |
       G---------H
`;
    const rules = (tags: Tags): MapRules => ({ nodes: { X: tags } });
    for (const [tags, usual, small] of [
      [{ barrier: 'height_restrictor', maxheight: '3.5' }, 'ABGHCD', 'ABXCD'],
      [{ barrier: 'height_restrictor' }, 'ABGHCD', 'ABGHCD'],
      [{ barrier: 'height_restrictor', maxheight: 'default' }, 'ABGHCD', 'ABGHCD'],
      [{ barrier: 'gate', maxwidth: '2.3' }, 'ABGHCD', 'ABXCD'],
      [{ barrier: 'gate' }, 'ABXCD', 'ABXCD'],
      [{ barrier: 'bollard', maxwidth: '2.3' }, 'ABGHCD', 'ABGHCD'],
    ] as const) {
      const map = await drawMap(lane, rules(tags));
      expect([tags, lettersOf(map, 'AB', 'CD'), lettersOf(map, 'AB', 'CD', low)]).toEqual([
        tags,
        usual,
        small,
      ]);
    }
    const map = await drawMap(lane, rules({ barrier: 'gate', maxwidth: '2.3' }));
    // One may begin behind the gate, and not come to the road behind it through the gate.
    expect(lettersOf(map, 'XC', 'CD')).toBe('XCD');
    expect(lettersOf(map, 'AB', 'XC')).toBe('unreachable');
    expect(lettersOf(map, 'AB', 'XC', low)).toBe('ABXC');
  });

  it('M-022: restrictions of trucks and for all but trucks', async () => {
    const cross = `
       N
       |
  W----X----E
       |
       S
`;
    const on = (more: Tags): MapRules => ({ restrictions: [['', 'SX', 'X', 'XW', more]] });
    const ownOnly = await drawMap(cross, on({ restriction: '', 'restriction:hgv': 'no_left_turn' }));
    expect(lettersOf(ownOnly, 'SX', 'XW')).not.toBe('SXW');
    ownOnly.expectPath('SXW');
    const exempt = await drawMap(cross, on({ restriction: 'no_left_turn', except: 'hgv' }));
    expect(lettersOf(exempt, 'SX', 'XW')).toBe('SXW');
  });

  it('M-025: tolls of trucks are avoided where cars pay none', async () => {
    const flags = (tags: Tags): number =>
      readRules(new Map(Object.entries({ highway: 'primary', ...tags })), 0)!.forwardFlags;
    const paid = edgeFlag.toll | edgeFlag.tollTruck;
    expect(flags({ 'toll:hgv': 'yes' }) & paid).toBe(edgeFlag.tollTruck);
    expect(flags({ toll: 'yes' }) & paid).toBe(paid);
    expect(flags({ toll: 'yes', 'toll:hgv': 'no' }) & paid).toBe(edgeFlag.toll);
    const map = await drawMap(town, { ways: { BC: { 'toll:hgv': 'yes' } } });
    const avoiding = map.route('AB', 'CD', metricOf(map), edgeFlag.tollTruck);
    expect(avoiding.status === 'ok' ? map.lettersOf(avoiding.path.edges) : '').toBe('ABGHCD');
    expect(lettersOf(map, 'AB', 'CD')).toBe('ABCD');
  });

  it('speeds: those of trucks, the limit for trucks and no more than 80 km/h', () => {
    const kph = (tags: Tags): readonly number[] =>
      readRules(new Map(Object.entries({ highway: 'primary', ...tags })), 0)!.forwardKph;
    const truckKph = (tags: Tags): number => kph(tags)[3]!;
    expect(truckKph({})).toBe(55);
    expect(truckKph({ maxspeed: '120' })).toBe(80);
    expect(kph({ maxspeed: '120' })[0]).toBe(96);
    expect(truckKph({ maxspeed: '100', 'maxspeed:hgv': '60' })).toBe(60);
    expect(truckKph({ maxspeed: '50' })).toBe(40);
    expect(truckKph({ maxspeed: '100', 'maxspeed:hgv:backward': '30' })).toBe(80);
  });

  it('M-021: a car has a usual size, a bicycle none', () => {
    const modes = (tags: Tags): string => {
      const rules = readRules(new Map(Object.entries({ highway: 'primary', ...tags })), 0);
      return ['c', 'b', 'w', 't'].filter((_, mode) => (rules?.forwardKph[mode] ?? 0) > 0).join('');
    };
    expect(modes({ maxheight: '1.9' })).toBe('bwt');
    expect(modes({ maxheight: '2' })).toBe('cbwt');
    expect(modes({ width: '1.9' })).toBe('bwt');
    expect(modes({ maxwidth: '1.9' })).toBe('cbwt');
    expect(modes({ maxlength: '4' })).toBe('bwt');
    expect(modes({ maxweight: '1.5' })).toBe('bwt');
    expect(modes({ 'maxheight:hgv': '1' })).toBe('cbwt');
  });

  it('the nearest road that admits the truck is its destination, with the distance', async () => {
    const map = await drawMap(town, { ways: { BC: { maxheight: '3' } } });
    const line = map.network.edgeGeometry(map.edge('B', 'C'));
    const point = { lng: (line[0]! + line[2]!) / 2, lat: (line[1]! + line[3]!) / 2 };
    const near = (vehicle: Partial<Vehicle>) =>
      findNear(map.network, metricOf(map, vehicle), {
        from: { fixed: [{ edge: map.edge('A', 'B'), fraction: 0, side: 'on', point, distanceM: 0 }] },
        to: { point },
        ...{ avoid: 0, maxMeters: 1_000, count: 1 },
      });
    const usual = near({});
    expect(usual.status === 'ok' && usual.to.isMoved && usual.to.distanceM > 50).toBe(true);
    const small = near(low);
    expect(small.status === 'ok' && !small.to.isMoved && small.to.distanceM < 1).toBe(true);
  });
});
