import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maneuverModifiers, maneuverTypes } from '#routing-engine/guidance/maneuver.js';
import type { Json, OsrmTown } from '../api/osrm-town.js';
import { openClientTown } from './client-town.js';
import { type FerrostarRoute, readByFerrostar } from './ferrostar.js';

let town: OsrmTown;
beforeAll(async () => {
  town = await openClientTown();
});
afterAll(() => town.close());

/** What Ferrostar asks of servers with the layout of OSRM. */
const options =
  'steps=true&voice_instructions=true&banner_instructions=true&geometries=polyline6&overview=full' +
  '&annotations=distance,duration,speed';

const ask = async (places: string, more = '', profile = 'driving'): Promise<FerrostarRoute[]> => {
  const { status, bytes } = await town.ask('route', places, `${options}${more}`, profile);
  expect(status).toBe(200);
  return readByFerrostar(bytes);
};

describe("Ferrostar's parser, unchanged", () => {
  test('line, steps, lanes and what is said', async () => {
    const [route] = await ask('A E');
    expect(route!.distance).toBe(260);
    expect(route!.waypoints.map(({ kind }) => kind)).toEqual(['Break', 'Break']);
    expect(route!.geometry).toHaveLength(3);
    const [depart, turn, arrive] = route!.steps;
    expect(depart).toMatchObject({
      roadName: 'High Street',
      instruction: 'Head east on High Street',
      visualInstructions: [
        {
          triggerDistanceBeforeManeuver: 200,
          primaryContent: { text: 'Mill Lane', maneuverType: 'turn', maneuverModifier: 'right' },
          subContent: {
            laneInfo: [
              { active: false, directions: ['straight'] },
              { active: true, directions: ['right'] },
            ],
          },
        },
      ],
    });
    expect(depart!.spokenInstructions[0]).toMatchObject({
      text: 'Head east on High Street, then, in 200 meters, turn right onto Mill Lane',
      triggerDistanceBeforeManeuver: 200,
    });
    expect(turn!.annotations!.map((each) => JSON.parse(each))).toEqual([
      { distance: 60, duration: expect.any(Number), speed: expect.any(Number) },
    ]);
    expect(arrive!.geometry).toHaveLength(2);
  });

  test('an exit of a motorway, with its number and sign', async () => {
    const [route] = await ask('H M');
    expect(route!.steps[0]!.visualInstructions[0]).toMatchObject({
      primaryContent: { text: 'Exit 7 Harbour', maneuverType: 'off ramp', exitNumbers: ['7'] },
    });
    expect(route!.steps[1]).toMatchObject({ exits: ['7'], instruction: 'Take exit 7 towards Harbour' });
  });

  test('several places, another language and other units', async () => {
    const [route] = await ask('A D F', '&language=sv&voice_units=imperial', 'cycling');
    expect(route!.waypoints).toHaveLength(3);
    const said = route!.steps.flatMap(({ spokenInstructions }) => spokenInstructions);
    expect(said.some(({ text }) => /^Sväng|, sväng/.test(text))).toBe(true);
    expect(said.some(({ text }) => / fot,/.test(text))).toBe(true);
  });

  test('every type and modifier of our maneuvers is known', async () => {
    const { json } = await town.ask('route', 'A E', options);
    const [primary] = json.routes[0].legs[0].steps[0].bannerInstructions;
    const read = async (over: Json): Promise<Json> => {
      Object.assign(primary.primary, over);
      const [route] = await readByFerrostar(Buffer.from(JSON.stringify(json)));
      return route!.steps[0]!.visualInstructions[0]!.primaryContent;
    };
    for (const type of maneuverTypes) expect((await read({ type })).maneuverType).toBe(type);
    for (const modifier of maneuverModifiers)
      expect((await read({ modifier })).maneuverModifier).toBe(modifier);
    await expect(read({ type: 'no type' })).rejects.toBeDefined();
  });
});
