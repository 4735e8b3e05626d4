import { describe, expect, it } from 'vitest';
import type { Incident } from '#schemas/http/incidents.js';
import type { TrafficAnswer } from '#schemas/http/map.js';
import type { SimulationTruth, WayAhead } from '#schemas/http/simulation.js';
import type { PredictedTrip } from '#simulated-city/arrival-score.js';
import { CityScorer } from '#simulated-city/city-score.js';

const place = { lat: 49.4, lng: 8.7 };

const truthAt = (second: number, truth: Partial<SimulationTruth> = {}): SimulationTruth => ({
  ...{ now_ms: second * 1_000, seed: 1, drivers: 300, scenario: 'usual' },
  ...{ closures: [], speeds: [], trips: [], barriers: [], reroutes: [] },
  ...truth,
});

const trip = (id: string, departedS: number, arrivedS?: number): SimulationTruth['trips'][number] => ({
  ...{ id, from: place, to: place, departed_ms: departedS * 1_000 },
  arrived_ms: arrivedS === undefined ? null : arrivedS * 1_000,
});

const predicted = (durationS: number, freeFlowS: number, isFallback = false): PredictedTrip => ({
  ...{ durationS, freeFlowS, isFallback },
  interval: isFallback ? undefined : { lowS: 0.9 * durationS, highS: 1.1 * durationS },
});

const closedEdge = (edge: string): Incident => ({
  ...{ incident_id: edge, kind: 'closed', source: 'detected', active: true, edge_ids: [edge], road: '' },
  geometry: { type: 'MultiLineString', coordinates: [] },
  ...{ started_at: '', expires_at: null, evidence: '' },
});

const trafficOf = (
  ...speeds: readonly [edge: string, kph: number, freeFlowKph: number][]
): TrafficAnswer => ({
  ...{ metric_version: 1, tileset_id: 't', type: 'FeatureCollection' },
  features: speeds.map(([edge_id, speed_kph, free_flow_kph], id) => ({
    ...{ type: 'Feature', id, geometry: { type: 'LineString', coordinates: [] } },
    properties: { edge_id, closed: false, speed_kph, free_flow_kph, congestion: 'low' },
  })),
});

/** A scorer that has seen so many trips of 100 s, predicted as given. */
function afterTrips(count: number, prediction: (i: number) => PredictedTrip): CityScorer {
  const scorer = new CityScorer({ warmUpMs: 0 });
  scorer.arrivals.look(truthAt(0));
  for (let i = 0; i < count; i++) {
    const [begun] = scorer.arrivals.look(truthAt(i + 1, { trips: [trip(`t${i}`, i + 1)] }));
    scorer.arrivals.predicted(begun!.id, prediction(i));
  }
  scorer.arrivals.look(
    truthAt(500, { trips: Array.from({ length: count }, (_, i) => trip(`t${i}`, i + 1, i + 101)) }),
  );
  return scorer;
}

describe('the score of a simulated city', () => {
  it('compares predicted with true durations, and free flow with both', () => {
    const { arrivals, broken } = afterTrips(40, (i) => predicted(i % 5 === 0 ? 120 : 105, 60)).result;
    expect(arrivals).toMatchObject({ trips: 40, fallbacks: 0, intervals: 40, covered: 0.8 });
    expect(arrivals.mape).toBeCloseTo((0.2 + 4 * 0.05) / 5, 6);
    expect(arrivals.freeFlowMape).toBeCloseTo(0.4, 6);
    expect(broken).toEqual([]);
  });

  it('only trips that have just begun are predicted, each once', () => {
    const { arrivals } = new CityScorer({ warmUpMs: 0 });
    expect(arrivals.look(truthAt(100, { trips: [trip('old', 90)] }))).toEqual([]);
    const second = truthAt(105, { trips: [trip('old', 90), trip('new', 101), trip('over', 101, 104)] });
    expect(arrivals.look(second).map(({ id }) => id)).toEqual(['new']);
    expect(arrivals.look(truthAt(110, { trips: second.trips }))).toEqual([]);
  });

  it('control: free flow instead of arrival times is out of bounds', () => {
    const { broken } = afterTrips(40, () => predicted(60, 60, true)).result;
    expect(broken).toEqual(['Arrival times have 1.00 times the error of free flow.']);
  });

  it('control: intervals that are too narrow or too wide are out of bounds', () => {
    for (const share of [0, 1]) {
      const { broken } = afterTrips(60, () => predicted(share === 1 ? 101 : 120, 10)).result;
      expect(broken).toEqual([`Intervals contain ${100 * share} % of the trips, not 80 %.`]);
    }
  });

  it('compares live speeds with the true ones', () => {
    const { speeds } = new CityScorer({ warmUpMs: 0 });
    speeds.look(
      trafficOf(['a', 30, 50], ['b', 45, 50], ['c', 50, 50]),
      truthAt(0, {
        speeds: [
          { edge: 'a', kph: 25 },
          { edge: 'b', kph: 50 },
          { edge: 'c', kph: 50 },
        ],
      }),
    );
    expect(speeds.result).toEqual({ speeds: 3, medianError: 0.1, meanError: expect.closeTo(0.1, 6) });
  });

  it('a driver at a barrier that was listed before was rerouted too late or not at all', () => {
    const { reroutes } = new CityScorer({ warmUpMs: 0 });
    const met = (driver: string, edge: string, second: number) => ({ driver, edge, at_ms: second * 1_000 });
    reroutes.look([], truthAt(0, { barriers: [met('first', 'a', 0)] }));
    reroutes.look([closedEdge('a')], truthAt(5, { barriers: [met('first', 'a', 0)] }));
    reroutes.look([closedEdge('a')], truthAt(15, { barriers: [met('near', 'a', 12)] }));
    reroutes.look([closedEdge('a')], truthAt(30, { barriers: [met('near', 'a', 12), met('late', 'a', 26)] }));
    expect(reroutes.result).toMatchObject({
      barriers: 3,
      missing: [{ driver: 'late', edge: 'a', listedForS: 21 }],
    });
    // Opened and closed again: the time counts from the new listing.
    reroutes.look([], truthAt(60));
    reroutes.look([closedEdge('a')], truthAt(90, { barriers: [met('again', 'a', 88)] }));
    expect(reroutes.result.missing).toHaveLength(1);
  });

  it('compares reroutes with the true durations, and with the closures that were listed then', () => {
    const scorer = new CityScorer({ warmUpMs: 0 });
    const way = (duration_s: number | null, ...edges: string[]) => ({ edges, duration_s });
    const reroute = (second: number, before: WayAhead, after: WayAhead) => ({
      ...{ driver: `d${second}`, at_ms: second * 1_000, before, after },
    });
    scorer.reroutes.look([closedEdge('x')], truthAt(0));
    const frames = [
      reroute(4, way(null, 'x'), way(90, 'a')),
      reroute(5, way(80, 'b'), way(70, 'a')),
      reroute(6, way(80, 'b'), way(80, 'a')),
      reroute(7, way(80, 'b'), way(null, 'hidden')),
    ];
    scorer.reroutes.look([closedEdge('x')], truthAt(10, { reroutes: frames }));
    expect(scorer.result.reroutes).toMatchObject({ frames: 4, right: 2, useless: 1, blocked: 1, late: 0 });
    expect(scorer.result.broken).toEqual([]);
    const late = reroute(30, way(null, 'b', 'x'), way(60, 'a'));
    const wrong = reroute(31, way(60, 'b'), way(null, 'a', 'x'));
    scorer.reroutes.look([closedEdge('x')], truthAt(35, { reroutes: [...frames, late, wrong] }));
    expect(scorer.result.reroutes).toMatchObject({
      ...{ frames: 6, right: 3, blocked: 2, late: 1 },
      overListed: [{ driver: 'd31', edge: 'x', listedForS: 31 }],
    });
    expect(scorer.result.broken).toEqual(['1 of the reroutes led over a road that was listed as closed.']);
  });
});
