import { describe, expect, it } from 'vitest';
import { drawMap } from '../routing-engine/ascii-map.js';

type Tags = Readonly<Record<string, string>>;

/** From Z to Y over B and E or over C and F; both are as long. */
const equal = `
    B------------------------------E
   /                                \\
Z-A                                  H-Y
   \\                                /
    C------------------------------F
`;

/** Over B and E it is a fifth longer. */
const longer = `
       B------------------------------E
      /                                \\
     /                                  \\
    /                                    \\
   /                                      \\
Z-A                                        H-Y
   \\                                      /
    C------------------------------------F
`;

/** The tags of the way that a cyclist takes: the same whichever is on the left. */
async function ridden(drawing: string, upper: Tags, lower: Tags): Promise<Tags> {
  const map = await drawMap(drawing, { ways: { BE: upper, CF: lower } });
  const { network } = map;
  const metric = map.metric('bicycling');
  const found = map.route('ZA', 'HY', metric);
  if (found.status !== 'ok') throw new Error(found.reason);
  const letters = map.lettersOf(found.path.edges);
  // The time of the answer is the riding time: length over speed, plus the turns.
  const riding = [...found.path.edges.slice(1, -1)].map(
    (edge) => network.edgeLengthM(edge) / (network.freeFlowKph(edge, 'bicycling') / 3.6),
  );
  const ridingS = riding.reduce((sum, s) => sum + s, 0);
  expect(found.path.durationMs / 1000).toBeGreaterThan(ridingS);
  expect(found.path.durationMs / 1000).toBeLessThan(ridingS + 60);
  return letters.includes('B') ? upper : lower;
}

describe('a cyclist takes', () => {
  const rows: readonly (readonly [string, Tags, Tags])[] = [
    ['the cycle path, not the main road', { highway: 'cycleway' }, { highway: 'primary' }],
    [
      'the paved path that is for bicycles, not the main road',
      { highway: 'path', bicycle: 'designated', surface: 'asphalt' },
      { highway: 'primary' },
    ],
    [
      'the main road with a cycle lane, not the one without',
      { highway: 'secondary', 'cycleway:right': 'lane' },
      { highway: 'secondary' },
    ],
    ['the cycle street', { highway: 'residential', bicycle_road: 'yes' }, { highway: 'residential' }],
    [
      'asphalt, not gravel',
      { highway: 'track', surface: 'asphalt' },
      { highway: 'track', surface: 'gravel' },
    ],
    ['the smooth path', { highway: 'cycleway' }, { highway: 'cycleway', smoothness: 'bad' }],
    [
      'the road where riding is allowed, not the one where they push',
      { highway: 'track' },
      { highway: 'footway' },
    ],
    ['the level street, not the hill', { highway: 'tertiary' }, { highway: 'cycleway', incline: '4%' }],
  ];
  it.each(rows)('%s', async (_, better, worse) => {
    expect(await ridden(equal, better, worse)).toBe(better);
    expect(await ridden(equal, worse, better)).toBe(better);
  });

  it('a small detour around cobblestones, and none for a lane', async () => {
    const street = { highway: 'residential' };
    const cobbled = { ...street, surface: 'cobblestone' };
    expect(await ridden(longer, street, cobbled)).toBe(street);
    const main = { highway: 'secondary' };
    expect(await ridden(longer, { ...main, cycleway: 'lane' }, main)).toBe(main);
  });
});
