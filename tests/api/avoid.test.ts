import polyline from '@mapbox/polyline';
import { expect, onTestFinished, test } from 'vitest';
import { proves } from '#tools/acceptance/proves.js';
import { openOsrmTown } from './osrm-town.js';

/** BC and DG are of the class that is avoided. A way around BC exists, none around DG. */
const drawing = `
A---------B---------C---------D---------G---------H
          |         |
          |         |
          E---------F`;

proves('M-025', {
  asked: 'avoid=tolls, motorways, ferries: no such edge where a way without exists, else an explicit status',
  shown: 'each alone, over the API: the way around it, and ZERO_RESULTS that names it where none is left',
  control: {
    in: 'routing-engine/network/edge-flags.ts',
    change: 'ferries: 4, unpaved: 8',
    to: 'ferries: 8, unpaved: 8',
  },
});
test.each([
  ['tolls', { toll: 'yes' }],
  ['motorways', { highway: 'motorway', oneway: 'no' }],
  ['ferries', { highway: '', route: 'ferry', motor_vehicle: 'yes', maxspeed: '60' }],
] as const)('M-025: avoid=%s: the way around, else an explicit status', async (avoid, tags) => {
  const town = await openOsrmTown(drawing, { ways: { BC: tags, DG: tags } });
  onTestFinished(() => town.close());
  const nav = async (from: string, to: string, more = '') => {
    const [origin, destination] = [from, to].map((letter) => {
      const [lng, lat] = town.place(letter);
      return `${lat.toFixed(7)},${lng.toFixed(7)}`;
    });
    const { json } = await town.served.call(
      'GET',
      `/v1/nav?origin=${origin}&destination=${destination}${more}`,
    );
    return json;
  };
  const letters = ({ polyline: line }: { polyline: { points: string } }): string =>
    polyline
      .decode(line.points)
      .map(([lat, lng]) => {
        const isNear = (letter: string) =>
          town.place(letter).every((degrees, i) => Math.abs(degrees - [lng, lat][i]!) < 2e-5);
        return 'ABCDEFGH'.split('').find(isNear) ?? '?';
      })
      .filter((letter, i, all) => letter !== all[i - 1])
      .join('');
  expect(letters(await nav('A', 'H'))).toBe('ABCDGH');
  expect(letters(await nav('A', 'D', `&avoid=${avoid}`))).toBe('ABEFCD');
  expect(await nav('A', 'H', `&avoid=${avoid}`)).toMatchObject({
    ...{ status: 'ZERO_RESULTS', routes: [], reason: `No route avoids ${avoid}.` },
  });
});
