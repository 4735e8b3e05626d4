import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ActiveNavigation, ActiveNavigations } from '#processors/reroute/active-navigations.js';
import { affectedNavigations, metricDifference } from '#processors/reroute/affected-navigations.js';
import { gainMinMs } from '#processors/reroute/decide-reroute.js';
import { type Landmarks, makeLandmarks } from '#processors/reroute/landmarks.js';
import { routeAheadMs } from '#processors/reroute/route-cost.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { findRoute } from '#routing-engine/route/find-route.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import { proves } from '#tools/acceptance/proves.js';
import { runs } from '../../property-runs.js';
import { gridNetwork } from '../grid-network.js';

const grid = await gridNetwork(7, 6);
const { network } = grid;
const freeFlow = freeFlowMetric(network, 'driving');
const landmarks = makeLandmarks(network, 4);
/** Small, so that a town of a few blocks has routes that save enough. */
const settings = { savesMinS: 4, savesMinRatio: 0.05 };
const edgeAt = fc.nat(network.edgeCount - 1);

function record(userId: string, edges: readonly number[], toFraction: number): NavigationChanged {
  const to = grid.place(edges.at(-1)!, toFraction);
  return {
    navigationId: `nav-${userId}`,
    userId,
    state: navigationState.started,
    tilesetId: network.tilesetId,
    destinationLatE7: Math.round(to.lat * 1e7),
    destinationLngE7: Math.round(to.lng * 1e7),
    edgeIds: grid.ids(edges),
    tiles: [],
    durationS: 1,
    metricVersion: 0,
    routeVersion: 1,
    avoid: [],
    changedMs: 1_000,
  };
}

const trip = fc.record({
  from: edgeAt,
  to: edgeAt,
  toFraction: fc.double({ min: 0, max: 1, noNaN: true }),
  driven: fc.double({ min: 0, max: 0.999, noNaN: true }),
  fraction: fc.double({ min: 0, max: 1, noNaN: true }),
});
type Trip = typeof trip extends fc.Arbitrary<infer T> ? T : never;

/** Navigations on their best routes under a metric, each driver somewhere along their route. */
function underWay(trips: readonly Trip[], metric = freeFlow): ActiveNavigations {
  const navigations = new ActiveNavigations(network);
  for (const [i, { from, to, toFraction, driven, fraction }] of trips.entries()) {
    const outcome = findRoute(network, metric, {
      from: [{ edge: from, fraction: 0 }],
      to: [{ edge: to, fraction: toFraction }],
    });
    if (outcome.status !== 'ok') continue;
    const edges = [...outcome.path.edges];
    navigations.apply(record(`u${i}`, edges, toFraction), 0);
    navigations.move(`u${i}`, { at: Math.floor(driven * edges.length), fraction, positionMs: 2_000 });
  }
  return navigations;
}
const remaining = ({ edges, at }: ActiveNavigation): readonly number[] => edges.slice(at + 1);

describe('the navigations affected by a change of the metric', () => {
  proves('M-061', {
    asked: 'exactly the users whose record includes the tile, against a full scan',
    shown: 'by edges instead of tiles (ADR 0056): 300 random fleets against a full scan',
    missing: 'the tiles of the record are not used to find drivers',
    control: {
      in: 'processors/reroute/active-navigations.ts',
      change: 'if (navigation.edges.lastIndexOf(edge) > navigation.at) found.add(navigation);',
      to: 'if (navigation.edges.lastIndexOf(edge) > navigation.at + 1) found.add(navigation);',
    },
  });
  it('M-061: the inverted index finds exactly the navigations that a full scan finds', () => {
    fc.assert(
      fc.property(fc.array(trip, { maxLength: 12 }), fc.array(edgeAt, { maxLength: 6 }), (trips, changed) => {
        const navigations = underWay(trips);
        const scanned = [...navigations.all()].filter((each) =>
          remaining(each).some((e) => changed.includes(e)),
        );
        expect(navigations.ahead(changed)).toEqual(new Set(scanned));
      }),
      { seed: 61, numRuns: runs(300) },
    );
  });

  it('M-061: the index drops navigations that ended, were rerouted or are driven', () => {
    const navigations = new ActiveNavigations(network);
    const [a, b, c] = grid.way([0, 0], [1, 0], [2, 0], [3, 0]) as [number, number, number];
    const started = record('u', [a, b, c], 0.5);
    navigations.apply(started, 0);
    expect([...navigations.ahead([c])].map(({ userId }) => userId)).toEqual(['u']);
    expect(navigations.ahead([a]).size).toBe(0);
    navigations.move('u', { at: 1, fraction: 0, positionMs: 5 });
    expect(navigations.ahead([b]).size).toBe(0);
    const around = grid.way([1, 0], [1, 1], [2, 1], [2, 0], [3, 0]);
    navigations.apply({ ...started, routeVersion: 2, edgeIds: grid.ids(around) }, 0);
    expect(navigations.ahead([b]).size).toBe(0);
    expect(navigations.ahead([around[2]!]).size).toBe(1);
    // An older route does not return.
    navigations.apply(started, 0);
    expect(navigations.of('u')!.routeVersion).toBe(2);
    navigations.apply({ ...started, state: navigationState.ended }, 0);
    expect(navigations.size).toBe(0);
    expect(navigations.ahead(around).size).toBe(0);
  });

  const change = fc.record({ edge: edgeAt, kph: fc.integer({ min: 2, max: 120 }), closed: fc.boolean() });
  const edits = (changes: readonly { edge: number; kph: number; closed: boolean }[]): EdgeChange[] =>
    changes.map(({ edge, kph, closed }) => (closed ? { edge, closed } : { edge, speedKph: kph }));
  const bestMs = ({ edges, at, fraction, toFraction }: ActiveNavigation, metric: Metric): number => {
    const outcome = findRoute(network, metric, {
      from: [{ edge: edges[at]!, fraction }],
      to: [{ edge: edges.at(-1)!, fraction: toFraction }],
    });
    return outcome.status === 'ok' ? outcome.path.durationMs : Number.POSITIVE_INFINITY;
  };
  const aheadMs = ({ edges, at, fraction, toFraction }: ActiveNavigation, metric: Metric): number =>
    routeAheadMs(network, metric, { edges, at, fromFraction: fraction, toFraction });

  /** The driver takes the best route from their position. */
  function lead(navigations: ActiveNavigations, each: ActiveNavigation, metric: Metric): void {
    const { userId, routeVersion, edges, at, fraction, toFraction } = each;
    const outcome = findRoute(network, metric, {
      from: [{ edge: edges[at]!, fraction }],
      to: [{ edge: edges.at(-1)!, fraction: toFraction }],
    });
    if (outcome.status !== 'ok') throw new Error('no route');
    const better = record(userId, [...outcome.path.edges], toFraction);
    navigations.apply({ ...better, routeVersion: routeVersion + 1 }, 0);
    navigations.move(userId, { at: 0, fraction, positionMs: 2_000 });
  }

  /**
   * Applies changes one after another; every driver found is searched for, as the group does it. Returns
   * their number.
   */
  function follow(
    trips: readonly Trip[],
    earlier: readonly { edge: number; kph: number; closed: boolean }[],
    versions: readonly (readonly { edge: number; kph: number; closed: boolean }[])[],
    known: Landmarks | undefined,
  ): number {
    let before = applyChanges(network, freeFlow, edits(earlier), 1);
    const navigations = underWay(trips, before);
    let searched = 0;
    for (const changes of versions) {
      const after = applyChanges(network, before, edits(changes), before.version + 1);
      const affected = affectedNavigations({
        ...{ network, navigations, before, after, settings },
        difference: metricDifference(network, before, after),
        landmarks: known,
      });
      searched += affected.size;
      for (const each of [...navigations.all()]) {
        if (each.at === each.edges.length - 1) continue;
        const [kept, best] = [aheadMs(each, after), bestMs(each, after)];
        const isWorthIt = kept !== best && kept - best >= gainMinMs(kept, settings);
        if (!affected.has(each)) expect(isWorthIt).toBe(false);
        else if (isWorthIt) lead(navigations, each, after);
        else navigations.proved(each.userId, kept === best ? 0 : kept - best);
      }
      before = after;
    }
    return searched;
  }
  const town = fc.tuple(
    fc.array(trip, { maxLength: 10 }),
    fc.array(change, { maxLength: 8 }),
    fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
  );

  it('M-062: over many versions finds every driver whom another route helps by the threshold', () => {
    fc.assert(
      fc.property(town, ([trips, earlier, versions]) => {
        follow(trips, earlier, versions, landmarks);
      }),
      { seed: 62, numRuns: runs(200) },
    );
  });

  it('M-062: finds them also without landmarks; with landmarks it searches fewer', () => {
    let [without, withThem] = [0, 0];
    fc.assert(
      fc.property(town, ([trips, earlier, versions]) => {
        without += follow(trips, earlier, versions, undefined);
        withThem += follow(trips, earlier, versions, landmarks);
      }),
      { seed: 63, numRuns: 60 },
    );
    expect(withThem).toBeLessThan(0.9 * without);
  });

  it('bounds from landmarks never exceed the result of a search', () => {
    const { count, ms } = landmarks;
    fc.assert(
      fc.property(edgeAt, edgeAt, (from, to) => {
        const way = findRoute(network, freeFlow, {
          from: [{ edge: from, fraction: 1 }],
          to: [{ edge: to, fraction: 1 }],
        });
        if (way.status !== 'ok' || from === to) return;
        for (let i = 0; i < 2 * count; i += 2) {
          const at = (edge: number, side: number): number => ms[edge * 2 * count + i + side]!;
          expect(at(to, 0) - at(from, 0)).toBeLessThanOrEqual(way.path.durationMs);
          expect(at(from, 1) - at(to, 1)).toBeLessThanOrEqual(way.path.durationMs);
        }
      }),
      { seed: 64, numRuns: 500 },
    );
  });

  it('computes the duration ahead like a search does', () => {
    fc.assert(
      fc.property(
        trip,
        fc.array(fc.tuple(edgeAt, fc.integer({ min: 2, max: 90 })), { maxLength: 20 }),
        (one, edits) => {
          const changes = edits.map(([edge, speedKph]) => ({ edge, speedKph }));
          const metric = applyChanges(network, freeFlow, changes, 1);
          const outcome = findRoute(network, metric, {
            from: [{ edge: one.from, fraction: one.fraction }],
            to: [{ edge: one.to, fraction: one.toFraction }],
          });
          if (outcome.status !== 'ok') return;
          const { edges, fromFraction, toFraction, durationMs } = outcome.path;
          const way = { edges: [...edges], at: 0, fromFraction, toFraction };
          expect(Math.abs(routeAheadMs(network, metric, way) - durationMs)).toBeLessThanOrEqual(2);
        },
      ),
      { seed: 5, numRuns: 300 },
    );
  });

  it('finds no route ahead through a closed edge, except off one that was closed under the driver', () => {
    const way = {
      edges: grid.way([0, 0], [1, 0], [2, 0], [3, 0]),
      at: 0,
      fromFraction: 0.5,
      toFraction: 0.5,
    };
    const [first, middle] = way.edges as [number, number];
    const closed = (edge: number) => applyChanges(network, freeFlow, [{ edge, closed: true }], 1);
    expect(routeAheadMs(network, closed(middle), way)).toBe(Number.POSITIVE_INFINITY);
    expect(routeAheadMs(network, closed(first), way)).toBe(routeAheadMs(network, freeFlow, way));
  });
});
