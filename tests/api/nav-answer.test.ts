import { Value } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { type AnswerStyle, navAnswer } from '#api/nav/nav-answer.js';
import type { Plan, PlannedRoute } from '#api/ports/planner.js';
import { NavAnswer } from '#schemas/http/nav.js';

const style: AnswerStyle = { mode: 'driving', units: 'metric', language: 'en', nowMs: 70_000 };
const route = (over: Partial<PlannedRoute> = {}): PlannedRoute => ({
  edgeCount: 2,
  edgeIds: () => ['1:2-3+', '1:3-4+'],
  distanceM: 1_234.4,
  durationS: 181.2,
  freeFlowS: 120,
  tollM: 0,
  motorwayM: 0,
  ferryM: 0,
  liveEdges: 1,
  polyline: '_p~iF~ps|U',
  summary: 'Avenyn',
  steps: [
    {
      turn: { type: 'depart', bearingBefore: 0, bearingAfter: 90 },
      name: 'Avenyn',
      ref: '',
      travelMode: 'driving',
      text: 'Head along',
      html: 'Turn left onto <b>&lt;i&gt;Kyrkogatan&lt;/i&gt; &amp; Son</b>',
      isArrival: false,
      maneuver: 'turn-left',
      distanceM: 1_234.4,
      durationS: 181.2,
      start: { lat: 57.7, lng: 11.9 },
      end: { lat: 57.71, lng: 11.91 },
      polyline: '_p~iF~ps|U',
    },
  ],
  warnings: [],
  tiles: ['0/1'],
  ...over,
});
const origin = { at: { lat: 57.7, lng: 11.9 }, distanceM: 4, edgeId: '1:2-3+', fraction: 0.25 };
const destination = { at: { lat: 57.71, lng: 11.91 }, distanceM: 340, edgeId: '1:3-4+', fraction: 1 };
const asked = { origin: { at: origin.at }, destination: { at: destination.at } };
const version = { metricVersion: 7, tilesetId: 'abc', metricPublishedMs: 60_000 };
const plan = (routes: readonly PlannedRoute[]): Plan => ({
  kind: 'routes',
  origin,
  destination,
  routes,
  ...version,
});

/**
 * Every field of the contract with its type; fields that the contract does not know count as a difference.
 */
const violations = (answer: NavAnswer): unknown[] => [...Value.Errors(NavAnswer, answer)];

describe('the response of /v1/nav', () => {
  test('a step has the lanes before its maneuver where they are known', () => {
    const lanes = [
      { indications: ['left'], valid: true },
      { indications: ['straight', 'right'], valid: false },
    ];
    const [step] = route().steps;
    const answer = navAnswer(plan([route({ steps: [{ ...step!, lanes }] })]), asked, style);
    expect(violations(answer)).toEqual([]);
    expect(answer.routes[0]!.legs[0]!.steps[0]).toMatchObject({ lanes });
    const without = navAnswer(plan([route()]), asked, style);
    expect(without.routes[0]!.legs[0]!.steps[0]).not.toHaveProperty('lanes');
  });

  test('a leg has its metres up and down where the map states slopes', () => {
    const climb = { upM: 80.4, downM: 35, statedM: 1_200 };
    const answer = navAnswer(plan([route({ climb })]), asked, style);
    expect(violations(answer)).toEqual([]);
    expect(answer.routes[0]!.legs[0]!.elevation).toEqual({
      gain: { text: '80 m', value: 80 },
      loss: { text: '35 m', value: 35 },
      known_for: { text: '1.2 km', value: 1_200 },
    });
    const without = navAnswer(plan([route()]), asked, style);
    expect(without.routes[0]!.legs[0]).not.toHaveProperty('elevation');
  });

  test('has every field of the specification with its type, at the top level', () => {
    const answer = navAnswer(plan([route()]), asked, style);
    expect(violations(answer)).toEqual([]);
    expect(answer).toMatchObject({
      status: 'OK',
      distance: { text: '1.2 km', value: 1_234 },
      duration: { text: '3 min', value: 181 },
      start_location: { lat: 57.7, lng: 11.9 },
      end_location: { lat: 57.71, lng: 11.91 },
      polyline: { points: '_p~iF~ps|U' },
      geocoded_waypoints: [
        { geocoder_status: 'OK', partial_match: false, place_id: 'edge:1:2-3+@0.250', types: ['route'] },
        { geocoder_status: 'OK', partial_match: false, place_id: 'edge:1:3-4+@1.000', types: ['route'] },
      ],
      travel_mode: 'DRIVING',
      metric_version: 7,
      evidence: { live_edges: 1, edges: 2, metric_age_s: 10 },
    });
  });

  test('has the layout of Google Directions in routes, with the attribution of the map data', () => {
    const [first] = navAnswer(plan([route()]), asked, style).routes;
    expect(first).toMatchObject({ summary: 'Avenyn', copyrights: '© OpenStreetMap contributors' });
    expect(first!.legs[0]).toMatchObject({
      duration_in_traffic: { value: 181 },
      duration_free_flow: { value: 120 },
      steps: [{ maneuver: 'turn-left', travel_mode: 'DRIVING', distance: { value: 1_234 } }],
    });
  });

  test('N8: names from the map are inert in html_instructions, even if guidance did not escape them', () => {
    const answer = navAnswer(plan([route()]), asked, style);
    const escaped = 'Turn left onto <b>&lt;i&gt;Kyrkogatan&lt;/i&gt; &amp; Son</b>';
    expect(answer.routes[0]!.legs[0]!.steps[0]!.html_instructions).toBe(escaped);
    expect(answer.html_instructions).toBe(`<div>${escaped}</div>`);
    const [step] = route().steps;
    const careless = route({
      steps: [{ ...step!, html: '<b onclick=x>A</b><img src=x onerror=alert(1)></B><b>B</b>' }],
    });
    const inert = '&lt;b onclick=x>A</b>&lt;img src=x onerror=alert(1)>&lt;/B><b>B</b>';
    expect(navAnswer(plan([careless]), asked, style).html_instructions).toBe(`<div>${inert}</div>`);
  });

  test('the arrival has no step of its own: its sentence ends the last step', () => {
    const [step] = route().steps;
    const arrival = { ...step!, html: 'You have arrived', isArrival: true, distanceM: 0, durationS: 0 };
    const answer = navAnswer(plan([route({ steps: [step!, arrival] })]), asked, style);
    const [only, ...others] = answer.routes[0]!.legs[0]!.steps;
    expect(others).toEqual([]);
    expect(only!.html_instructions).toMatch(/Son<\/b><div>You have arrived<\/div>$/);
    expect(answer.html_instructions).toMatch(/<div>You have arrived<\/div>$/);
  });

  test('every route gives the reason for its rank', () => {
    const routes = [route(), route({ durationS: 361.2, distanceM: 1_034.4, liveEdges: 0 })];
    const reasons = navAnswer(plan(routes), asked, style).routes.map((each) => each.ranked_because);
    expect(reasons).toEqual(['Fastest in current traffic.', '3 min slower than the first, 200 m shorter.']);
  });

  test('answers ZERO_RESULTS without a route, and NOT_FOUND at the end without a road nearby', () => {
    const none = navAnswer(
      { kind: 'no-route', origin, destination, reason: 'No route.', ...version },
      asked,
      style,
    );
    expect(none).toMatchObject({ status: 'ZERO_RESULTS', routes: [], reason: 'No route.' });
    const nowhere = navAnswer(
      { kind: 'not-found', missing: 'destination', reason: 'No road.', ...version },
      asked,
      style,
    );
    expect(nowhere.status).toBe('NOT_FOUND');
    expect(nowhere.geocoded_waypoints.map((each) => each.geocoder_status)).toEqual(['OK', 'NOT_FOUND']);
    expect([...violations(none), ...violations(nowhere)]).toEqual([]);
  });

  test('the age is null before the first metric, and never negative when clocks differ', () => {
    const age = (metricPublishedMs: number | undefined) =>
      navAnswer({ ...plan([route()]), metricPublishedMs }, asked, style).evidence!.metric_age_s;
    expect([age(undefined), age(99_000)]).toEqual([null, 0]);
  });
});
