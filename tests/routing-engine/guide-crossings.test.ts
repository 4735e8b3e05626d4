import { describe, expect, it } from 'vitest';
import { guide } from '#routing-engine/guidance/guide.js';
import type { TravelMode } from '#routing-engine/network/travel-mode.js';
import { pathGeometry } from '#routing-engine/route/path-geometry.js';
import { type DrawnMap, drawMap, type MapRules } from './ascii-map.js';

/** What is said from the first letter of a path to the last, with the letter of the place and the road. */
function said(map: DrawnMap, path: string, mode: TravelMode = 'driving'): string[] {
  const metric = map.metric(mode);
  const outcome = map.route(path.slice(0, 2), path.slice(-2), metric);
  if (outcome.status !== 'ok') throw new Error(outcome.reason);
  expect(map.lettersOf(outcome.path.edges)).toBe(path);
  const { edges } = outcome.path;
  const steps = guide(map.network, metric, outcome.path, pathGeometry(map.network, outcome.path), {});
  return steps.slice(1, -1).map(({ maneuver: { type, modifier, exit }, edgeFrom, name }) => {
    const at = map.lettersOf(edges.subarray(edgeFrom))[0];
    return `${at}: ${type} ${modifier}${exit === undefined ? '' : ` ${exit}`} → ${name}`;
  });
}

const oneway = (name: string, highway = 'primary') => ({ name, highway, oneway: 'yes' });

/** Two divided roads, 20 m between the carriageways. */
const divided = `
  I-L
  | |
D-C-B-A
| | | |
E-F-G-H
  | |
  J-K`
  .replaceAll('I-L', 'I L')
  .replaceAll('J-K', 'J K');

describe('crossings of divided roads', () => {
  const long = { AB: oneway('First'), CD: oneway('First'), EF: oneway('First'), GH: oneway('First') };
  const cross = { IC: oneway('Second'), BL: oneway('Second'), KG: oneway('Second'), FJ: oneway('Second') };

  it('a turn over several carriageways is one turn, at the first of them', async () => {
    const within = { BC: oneway('First'), FG: oneway('First'), CF: oneway('Second'), GB: oneway('Second') };
    const map = await drawMap(divided.replaceAll('|   |', '    ').replace('| | | |', '  | |'), {
      stepM: 10,
      ways: { ...long, ...cross, ...within },
    });
    expect(said(map, 'ABL')).toEqual(['B: turn right → Second']);
    expect(said(map, 'ABCD')).toEqual([]);
    expect(said(map, 'ABCFJ')).toEqual(['B: turn left → Second']);
    expect(said(map, 'ABCFGH')).toEqual(['B: continue uturn → First']);
    expect(said(map, 'KGBCD')).toEqual(['G: turn left → First']);
    expect(said(map, 'KGBL')).toEqual([]);
  });

  it('also where the pieces between the carriageways have the name of the other road', async () => {
    const within = { BC: oneway('Second'), FG: oneway('First'), CF: oneway('First'), GB: oneway('Second') };
    const map = await drawMap(divided.replace('| | | |', '  | |'), {
      stepM: 10,
      ways: { ...long, ...cross, ...within },
    });
    expect(said(map, 'ABCFJ')).toEqual(['B: turn left → Second']);
    expect(said(map, 'ABCFGH')).toEqual(['B: continue uturn → First']);
    expect(said(map, 'ABCD')).toEqual([]);
  });

  it('carriageways that are far apart are two roads', async () => {
    const within = { BC: oneway('First'), FG: oneway('First'), CF: oneway('Second'), GB: oneway('Second') };
    const map = await drawMap(divided.replace('| | | |', '  | |'), {
      stepM: 30,
      ways: { ...long, ...cross, ...within },
    });
    expect(said(map, 'ABCFJ')).toHaveLength(1);
    expect(said(map, 'ABCFGH')).toHaveLength(2);
  });

  it('a road that divides into carriageways goes straight on, and so do they', async () => {
    const drawing = `
      C--D
     /
A---B
     \\
      E--F`;
    const map = await drawMap(drawing, {
      ways: {
        AB: { name: 'Avenue', highway: 'primary' },
        DCB: oneway('Avenue'),
        BEF: oneway('Avenue'),
      },
    });
    expect(said(map, 'ABF')).toEqual([]);
    expect(said(map, 'DBA')).toEqual([]);
  });
});

describe('slip roads', () => {
  const drawing = `
        D
        |
S--A----B--C
    \\   |
     \\  |
      \\ |
       \\|
        E
        |
        F`;
  const ways = (slip: Readonly<Record<string, string>>): MapRules => ({
    stepM: 10,
    ways: {
      SABC: { name: 'Main', highway: 'primary' },
      DBEF: { name: 'Cross', highway: 'secondary' },
      AE: { highway: 'primary_link', oneway: 'yes', name: '', ...slip },
    },
    restrictions: [['no_right_turn', 'SABC', 'B', 'DBEF']],
  });

  it('a slip road and the road that it leads to are one turn', async () => {
    const map = await drawMap(drawing, ways({}));
    expect(said(map, 'SAEF')).toEqual(['A: turn right → Cross']);
    expect(said(map, 'SABC')).toEqual([]);
  });

  it('a street of that shape that goes on is a street', async () => {
    const beyond = drawing.replace('        |\n        F', '        |\\\n        F G');
    const map = await drawMap(beyond, ways({ highway: 'primary', name: 'Street' }));
    expect(said(map, 'SAEF')).toHaveLength(2);
  });

  it('a ramp that leads elsewhere is a ramp', async () => {
    const apart = `
S--A----B--C
    \\
     \\
      \\
       \\
        E--F`;
    const map = await drawMap(apart, {
      stepM: 10,
      ways: {
        SABC: { name: 'Main', highway: 'trunk' },
        AE: { highway: 'trunk_link', oneway: 'yes', name: '' },
        EF: { name: 'Cross', highway: 'secondary' },
      },
    });
    expect(said(map, 'SAEF')[0]).toBe('A: off ramp slight right → ');
  });
});

describe('what lies near to each other', () => {
  const offset = `
      J
      |
A-----C
      |
      E${'-'.repeat(120)}G
      |
      I`;
  const ways = (far: string) => ({
    AC: { name: 'Oak Street' },
    EG: { name: far },
    JCEI: { name: 'Cedar Drive' },
  });

  it('a crossing with an offset of a few metres is crossed straight on', async () => {
    const near = await drawMap(offset, { stepM: 1, ways: ways('Oak Street') });
    expect(said(near, 'ACEG')).toEqual(['C: continue straight → Oak Street']);
    expect(said(near, 'ACEG', 'bicycling')).toEqual([]);
    const other = await drawMap(offset, { stepM: 1, ways: ways('Elm Street') });
    expect(said(other, 'ACEG')).toEqual(['C: new name straight → Elm Street']);
    const far = await drawMap(offset, { stepM: 10, ways: ways('Oak Street') });
    expect(said(far, 'ACEG')).toHaveLength(2);
  });

  it('a bridge with a name of its own is not a change of name', async () => {
    const road = 'A---B---C---D';
    const ways = { AB: { name: 'Road' }, BC: { name: 'Bridge' }, CD: { name: 'Road' } };
    expect(said(await drawMap(road, { stepM: 10, ways }), 'ABCD')).toEqual([]);
    expect(said(await drawMap(road, { stepM: 40, ways }), 'ABCD')).toHaveLength(2);
  });

  it('a name for less than 105 m is told only at a bend and where lanes are chosen', async () => {
    const road = `
A---B---C---D
    |
    E`;
    const named = (stepM: number, over: MapRules['ways'] = {}): Promise<DrawnMap> =>
      drawMap(road.replace('    |\n    E', over['BE'] === undefined ? '' : '    |\n    E'), {
        stepM,
        ways: { AB: { name: 'Road' }, BC: { name: 'Square' }, CD: { name: 'Street' }, ...over },
      });
    expect(said(await named(20), 'ABCD')).toEqual([]);
    expect(said(await named(40), 'ABCD')).toEqual([
      'B: new name straight → Square',
      'C: new name straight → Street',
    ]);
    const lanes = { AB: { name: 'Road', 'turn:lanes:forward': 'through|right' }, BE: { name: 'Lane' } };
    expect(said(await named(20, lanes), 'ABCD')).toEqual(['B: new name straight → Square']);
    const bend = await drawMap(
      `
A---B
    |
    C---D`,
      { stepM: 20, ways: { AB: { name: 'Road' }, BC: { name: 'Square' }, CD: { name: 'Street' } } },
    );
    expect(said(bend, 'ABCD')).toHaveLength(2);
  });

  it('a road that is on the map twice is one road', async () => {
    const road = 'A---B---C---D';
    const twice = {
      ABCD: { name: 'Road', highway: 'primary' },
      'ABCD ': { name: 'Road', highway: 'primary' },
    };
    expect(said(await drawMap(road, { stepM: 40, ways: twice }), 'ABCD')).toEqual([]);
  });

  it('a turn into a road whose name begins a few metres on has that name', async () => {
    const corner = `
W----X----E
     |
     Y
     |
     |
     S`;
    const named = (stepM: number): Promise<DrawnMap> =>
      drawMap(corner, {
        stepM,
        ways: { WX: { name: 'Road' }, XE: { name: 'Other' }, XY: { name: '' }, YS: { name: 'Lane' } },
      });
    expect(said(await named(10), 'WXYS')).toEqual(['X: turn right → Lane']);
    expect(said(await named(30), 'WXYS')).toEqual(['X: turn right → ']);
  });

  it('a turn into a street has the point of the compass that follows in a few metres', async () => {
    const corner = `
W----X----E
     |
     Y
     |
     |
     S`;
    const ways = { WX: { name: 'Road' }, XE: { name: 'Other' }, YS: { name: 'Long Street South' } };
    const turned = async (name: string, stepM: number): Promise<string[]> =>
      said(await drawMap(corner, { stepM, ways: { ...ways, XY: { name } } }), 'WXYS');
    expect(await turned('Long Street', 10)).toEqual(['X: turn right → Long Street South']);
    expect(await turned('Long Street', 30)).toEqual(['X: turn right → Long Street']);
  });

  it('the ends of a street with a point of the compass are one street', async () => {
    const ways = { AB: { name: 'West 42nd Street' }, BC: { name: 'East 42nd Street' } };
    expect(said(await drawMap('A---B---C', { ways }), 'ABC')).toEqual([]);
    const others = { AB: { name: 'West Road' }, BC: { name: 'East Street' } };
    expect(said(await drawMap('A---B---C', { ways: others }), 'ABC')).toHaveLength(1);
  });
});

describe('the way on', () => {
  it('a main road with a bend says nothing where only a service road goes straight on', async () => {
    const bend = `
A----B----D
      \\
       \\
        C`;
    const main = { ABC: { name: 'Road', highway: 'primary' } };
    expect(said(await drawMap(bend, { ways: { ...main, BD: { highway: 'service' } } }), 'ABC')).toEqual([]);
    const equal = { ...main, BD: { highway: 'primary', name: 'Other' } };
    expect(said(await drawMap(bend, { ways: equal }), 'ABC')).toEqual(['B: continue slight right → Road']);
  });

  it('a road with a ramp beside it goes on without a word', async () => {
    const fork = `
A------B--C--D
        \\
         \\
          E`;
    const road = { highway: 'trunk', name: 'Road' };
    const ramp = { BE: { highway: 'motorway_link', oneway: 'yes' } };
    expect(said(await drawMap(fork, { ways: { ABCD: road, ...ramp } }), 'ABD')).toEqual([]);
    expect(said(await drawMap(fork, { ways: { ABCD: road, ...ramp } }), 'ABE')).toEqual([
      'B: off ramp slight right → BE',
    ]);
  });

  it('one motorway merges into another from the side that it comes from', async () => {
    const merge = `
A----B----C
    /
   /
  D`;
    const ways = {
      ABC: { highway: 'motorway', name: 'A 1' },
      DB: { highway: 'motorway', name: 'A 2' },
    };
    expect(said(await drawMap(merge, { ways }), 'DBC')).toEqual(['B: merge slight left → A 1']);
    expect(said(await drawMap(merge, { ways }), 'ABC')).toEqual([]);
  });
});

describe('roundabouts', () => {
  /** Four roads at a ring with the corners N, W, S, E; traffic keeps right. */
  const ring = `
 A   C
  \\ /
   N
  / \\
 W   E--G
  \\ /
   S
   |
   H`;

  it('a small ring with roads far apart is driven like a crossing', async () => {
    const map = await drawMap(ring.replace(' A   C\n  \\ /', '   A\n   |'), {
      stepM: 5,
      ways: { NWSEN: { junction: 'roundabout', name: '' } },
    });
    expect(said(map, 'ANSH')).toEqual(['N: roundabout turn straight 1 → SH']);
    expect(said(map, 'ANSEG')).toEqual(['N: roundabout turn left 2 → EG']);
  });

  it('a large ring with a name is a rotary; leaving any is a step', async () => {
    const named = await drawMap(ring, {
      stepM: 40,
      ways: { NWSEN: { junction: 'roundabout', name: 'Circle' } },
    });
    expect(said(named, 'ANSH')).toEqual([
      'N: rotary slight right 1 → SH',
      'S: exit rotary slight right 1 → SH',
    ]);
    const nameless = await drawMap(ring, {
      stepM: 40,
      ways: { NWSEN: { junction: 'roundabout', name: '' } },
    });
    expect(said(nameless, 'ANSH')[0]).toBe('N: roundabout slight right 1 → SH');
    expect(said(nameless, 'NSH')).toEqual(['S: exit roundabout slight right → SH']);
  });

  it('a road that leaves at the node of the entry, before it, is reached all the way round', async () => {
    const map = await drawMap(ring, {
      stepM: 40,
      ways: { NWSEN: { junction: 'roundabout', name: '' }, AN: oneway('In'), NC: oneway('Out') },
    });
    expect(said(map, 'ANC')).toEqual(['N: roundabout left 3 → Out']);
  });
});
