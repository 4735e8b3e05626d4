import polyline from '@mapbox/polyline';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { NavAnswer } from '#schemas/http/nav.js';
import { NavStepsAnswer } from '#schemas/http/nav-steps.js';
import { type OsrmTown, openOsrmTown } from './osrm-town.js';

/** 20 m per character. BE is a one-way street to the south. */
const drawing = `
A---------B---------C---------D
          |         |
          |         |
          E---------F`;

let town: OsrmTown;
beforeAll(async () => {
  town = await openOsrmTown(drawing, { ways: { BE: { oneway: 'yes' } } });
});
beforeEach(() => town.reset());
afterAll(() => town.close());

const at = (place: string) => {
  const [lng, lat] = town.place(place);
  return { lat, lng };
};
const edges = (...pairs: readonly string[]) =>
  pairs.map((pair) => town.map.network.edgeId(town.map.edge(pair[0]!, pair[1]!)));
const ask = (body: object) => town.served.call('POST', '/v1/nav/steps', { body });
const drive = { from: 'A+100+0', to: 'F+0+10' };
const asked = (more: object = {}) => ({
  edge_ids: edges('AB', 'BE', 'EF', 'FC'),
  from: at(drive.from),
  to: at(drive.to),
  ...more,
});
const stepsOf = async (more: object = {}): Promise<NavStepsAnswer> => {
  const { status, json } = await ask(asked(more));
  expect({ status, errors: json.errors }).toEqual({ status: 200, errors: undefined });
  expect([...Value.Errors(NavStepsAnswer, json)]).toEqual([]);
  return json as NavStepsAnswer;
};

describe('POST /v1/nav/steps', () => {
  test('describes the roads of a route from its start to its end, as /v1/nav does', async () => {
    const answer = await stepsOf();
    expect(Math.round(answer.distance.value / 10)).toBe((100 + 60 + 200 + 10) / 10);
    expect(answer.steps[1]!.maneuver).toBe('turn-right');
    const [first] = polyline.decode(answer.steps[0]!.polyline.points);
    expect(first![1]).toBeCloseTo(at(drive.from).lng, 4);
    const query = { origin: 'A+100+0', waypoints: 'via:E', destination: 'F+0+10' };
    const written = Object.entries(query).map(([name, place]): [string, string] => {
      const { lat, lng } = at(place.replace('via:', ''));
      return [name, `${place.startsWith('via:') ? 'via:' : ''}${lat.toFixed(7)},${lng.toFixed(7)}`];
    });
    const nav = await town.served.call('GET', `/v1/nav?${new URLSearchParams(written)}`);
    const [leg] = (nav.json as NavAnswer).routes[0]!.legs;
    const said = (steps: NavStepsAnswer['steps']) => steps.map((step) => step.html_instructions);
    expect(said(answer.steps)).toEqual(said(leg!.steps));
  });

  test('speaks the language and the units that are asked for', async () => {
    const { distance, steps } = await stepsOf({ language: 'de-AT', units: 'imperial' });
    expect(steps[1]!.html_instructions).toMatch(/^Rechts abbiegen/);
    expect(distance.text).toMatch(/ft|mi|Fuß/);
  });

  test('refuses an edge that is not on the map, and a turn that no car may make', async () => {
    const errors = async (more: object) => {
      const { status, json } = await ask(asked(more));
      return [status, json.errors?.[0].pointer];
    };
    expect(await errors({ edge_ids: ['1:2-3+'] })).toEqual([400, '/edge_ids/0']);
    expect(await errors({ edge_ids: edges('AB', 'EF') })).toEqual([400, '/edge_ids/1']);
    expect(await errors({ edge_ids: [] })).toEqual([400, '/edge_ids']);
    expect(await errors({ language: 'tlh' })).toEqual([400, '/language']);
  });
});
