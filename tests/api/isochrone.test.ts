import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyChanges } from '#routing-engine/overlay/metric.js';
import type { IsochroneAnswer, IsochroneQuery } from '#schemas/http/isochrone.js';
import { isInside } from '../routing-engine/is-inside.js';
import { type Json, type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character: a street of 1,400 m, with one of 400 m to the south. */
const drawing = `
A---------------------B-----------------------------------------------C
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      |
                      D`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, {});
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const at = (place: string) => {
  const [lon, lat] = town.place(place);
  return { lat, lon };
};
const query = (more: Partial<IsochroneQuery> = {}): IsochroneQuery => ({
  locations: [at('B')],
  costing: 'auto',
  contours: [{ distance: 0.5 }],
  polygons: true,
  ...more,
});
const post = (body: unknown) => town.served.call('POST', '/v1/isochrone', { body });
const answer = async (more: Partial<IsochroneQuery> = {}): Promise<IsochroneAnswer> => {
  const { status, json } = await post(query(more));
  expect({ status, errors: json.errors }).toEqual({ status: 200, errors: undefined });
  return json as IsochroneAnswer;
};
/** Whether places are within the first contour. */
const within = ({ features: [feature] }: IsochroneAnswer, places: string): boolean[] =>
  places.split(' ').map((place) => {
    const { lat, lon } = at(place);
    const { coordinates } = feature!.geometry as Json;
    return isInside(coordinates[0].flat(), lon, lat);
  });

describe('POST and GET /v1/isochrone', () => {
  test('an area by distance has what is within it along the roads', async () => {
    const found = await answer();
    const { properties, geometry } = found.features[0]!;
    expect(geometry.type).toBe('Polygon');
    expect(properties).toMatchObject({ contour: 0.5, metric: 'distance' });
    expect(properties.tolerance_m).toBeLessThan(40);
    expect(within(found, 'A B D B+450+0 B+550+0 C A+0+300')).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(found.tileset_id).toMatch(/^\w{16}$/);
  });

  test('an area by time follows the mode and the traffic, and roads that are closed are holes', async () => {
    const minutes = { contours: [{ time: 1 }] };
    expect(within(await answer(minutes), 'B+350+0')).toEqual([true]);
    const walked = await answer({ ...minutes, costing: 'pedestrian' });
    expect(within(walked, 'B+60+0 B+200+0')).toEqual([true, false]);
    const ridden = await answer({ ...minutes, costing: 'bicycle' });
    expect(within(ridden, 'B+200+0 B+500+0')).toEqual([true, false]);
    const { map, live } = town;
    const slow = [{ edge: map.edge('B', 'C'), speedKph: 5 }];
    town.live = { metric: applyChanges(map.network, live.metric, slow, 7), publishedMs: 1 };
    const jam = await answer(minutes);
    expect([within(jam, 'B+60+0 B+250+0 D'), jam.metric_version]).toEqual([[true, false, true], 7]);
    const closed = [{ edge: map.edge('B', 'D'), closed: true as const }];
    town.live = { metric: applyChanges(map.network, live.metric, closed, 8), publishedMs: 1 };
    expect(within(await answer(minutes), 'D B+350+0')).toEqual([false, true]);
  });

  test('several contours come with the greatest first, each with its colour', async () => {
    const { features } = await answer({
      contours: [{ time: 0.2 }, { distance: 0.3, color: 'FF0000' }, { time: 0.5 }],
      polygons: false,
    });
    expect(features.map(({ properties: { metric, contour } }) => [metric, contour])).toEqual([
      ['time', 0.5],
      ['time', 0.2],
      ['distance', 0.3],
    ]);
    expect(features[2]!.properties).toMatchObject({ color: '#FF0000', fillColor: '#FF0000' });
    expect(features.map(({ geometry }) => geometry.type)).toEqual(Array(3).fill('LineString'));
    for (const { geometry } of features) {
      const line = geometry.coordinates as number[][];
      expect(line[0]).toEqual(line.at(-1));
    }
  });

  test('generalize leaves points out, id and locations are part of the answer', async () => {
    const points = ({ features }: IsochroneAnswer) => (features[0]!.geometry as Json).coordinates[0].length;
    const coarse = await answer({ generalize: 100, id: 'home', show_locations: true });
    expect(points(coarse)).toBeLessThan(points(await answer()) / 2);
    expect(coarse.id).toBe('home');
    expect(coarse.features.slice(1).map(({ properties: { type } }) => type)).toEqual(['input', 'snapped']);
  });

  test('GET with json is the same answer', async () => {
    const path = `/v1/isochrone?json=${encodeURIComponent(JSON.stringify(query()))}`;
    const { status, json } = await town.served.call('GET', path);
    expect({ status, json }).toEqual({ status: 200, json: await answer() });
  });

  const far = { lat: 20, lon: 20 };
  test.each([
    ['no contour', { contours: [] }, /contours/],
    ['five contours', { contours: Array(5).fill({ time: 1 }) }, /contours/],
    ['neither time nor distance', { contours: [{ color: 'ff0000' }] }, /either time or distance/],
    ['both', { contours: [{ time: 1, distance: 1 }] }, /either time or distance/],
    ['two hours and a minute', { contours: [{ time: 121 }] }, /contours\/0\/time/],
    ['no time', { contours: [{ time: 0 }] }, /contours\/0\/time/],
    ['201 km', { contours: [{ distance: 201 }] }, /contours\/0\/distance/],
    ['a text as time', { contours: [{ time: '5' }] }, /contours\/0\/time/],
    ['a bus', { costing: 'bus' }, /costing/],
    ['costs of a bus', { costing_options: { bus: {} } }, /costing_options.*not a field/],
    [
      'options of costs',
      { costing_options: { auto: { shortest: true } } },
      /costing_options\/auto.*not a field/,
    ],
    ['two places', { locations: [far, far] }, /locations/],
    ['a latitude of 91', { locations: [{ lat: 91, lon: 0 }] }, /locations\/0\/lat/],
    ['no road near', { locations: [far] }, /no road for auto is within 1000 m/],
    ['denoise of 2', { denoise: 2 }, /denoise/],
    ['a negative generalize', { generalize: -1 }, /generalize/],
    ['a colour with #', { contours: [{ time: 1, color: '#ff0000' }] }, /color/],
  ])('%s is 400, and the error says what is wrong', async (_, more, said) => {
    const body = { ...query(), ...more };
    for (const { status, json } of [
      await post(body),
      await town.served.call('GET', `/v1/isochrone?json=${encodeURIComponent(JSON.stringify(body))}`),
    ]) {
      expect(status).toBe(400);
      expect(JSON.stringify(json.errors)).toMatch(said);
    }
  });

  test('a query that is not JSON, or has other parameters, is 400', async () => {
    for (const text of ['json=%7B', 'json=[]', 'json=null', '', 'json=1', 'contours_minutes=5'])
      expect([text, (await town.served.call('GET', `/v1/isochrone?${text}`)).status]).toEqual([text, 400]);
  });

  test('the greatest limits are answered, and the live state may be missing', async () => {
    expect(within(await answer({ contours: [{ time: 120 }, { distance: 200 }] }), 'A C D')).toEqual([
      true,
      true,
      true,
    ]);
    town.gap = 'an incident is missing';
    expect((await post(query())).status).toBe(503);
  });
});
