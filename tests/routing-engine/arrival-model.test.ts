import { describe, expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import {
  decodeArrivalModel,
  encodeArrivalModel,
  estimateArrival,
  type FinishedTrip,
  trainArrivalModel,
} from '#routing-engine/arrival-times/arrival-model.js';
import { predictTrees, trainTrees } from '#routing-engine/arrival-times/boosted-trees.js';
import { noDrift } from '#routing-engine/arrival-times/interval-reach.js';
import { routeFeatures } from '#routing-engine/arrival-times/route-features.js';
import { noSteering, steeredModel, steeringAfter } from '#routing-engine/arrival-times/steering.js';

const day = 86_400_000;
const of = { tilesetId: 'grid', version: 3 };

/** Trips that take 30 % longer in the morning, with noise that grows with the second feature. */
function trips(count: number, seed: number): FinishedTrip[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, i) => {
    const hour = 24 * random.next();
    const rough = random.next();
    const physicalS = 300 + 900 * random.next();
    const factor = (hour > 7 && hour < 9 ? 1.3 : 1) * Math.exp((0.03 + 0.2 * rough) * random.normal());
    return {
      physicalS,
      row: [hour, rough],
      departMs: Math.floor((i * 20) / count) * day,
      actualS: physicalS * factor,
    };
  });
}

describe('boosted trees', () => {
  it('finds a step and a product of two features, and ignores noise', async () => {
    const random = seededRandom(5);
    const rows = Array.from({ length: 3_000 }, () => [random.next(), random.next(), random.next()]);
    const truth = ([a, b]: readonly number[]): number => (a! > 0.5 ? 1 : 0) + a! * b!;
    const trees = await trainTrees(
      rows,
      rows.map((row) => truth(row) + 0.1 * random.normal()),
    );
    const error =
      rows.reduce((sum, row) => sum + Math.abs(predictTrees(trees, row) - truth(row)), 0) / rows.length;
    expect(error).toBeLessThan(0.05);
  });
});

describe('a model of arrival times', () => {
  const taught = trainArrivalModel(trips(4_000, 1), of);

  it('M-026: learns time beyond the physical one; its interval covers four of five trips', async () => {
    const model = await taught;
    const held = trips(4_000, 2).map((trip) => ({ ...trip, ...estimateArrival(model, trip) }));
    const mape = (say: (trip: (typeof held)[number]) => number): number =>
      held.reduce((sum, trip) => sum + Math.abs(say(trip) / trip.actualS - 1), 0) / held.length;
    expect(mape(({ durationS }) => durationS)).toBeLessThan(0.97 * mape(({ physicalS }) => physicalS));
    const morning = estimateArrival(model, { physicalS: 600, row: [8, 0.1] });
    expect(morning.durationS / 600).toBeGreaterThan(1.2);
    const covered = held.filter(({ actualS, lowS, highS }) => lowS <= actualS && actualS <= highS).length;
    expect(covered / held.length).toBeGreaterThan(0.77);
    expect(covered / held.length).toBeLessThan(0.83);
    // Where trips scatter more, the interval is wider.
    const rough = estimateArrival(model, { physicalS: 600, row: [15, 0.95] });
    const smooth = estimateArrival(model, { physicalS: 600, row: [15, 0.05] });
    expect(rough.highS - rough.lowS).toBeGreaterThan(2 * (smooth.highS - smooth.lowS));
  });

  it('M-026: covers four of five when traffic changes, where an unadjusted model does not', async () => {
    const model = await taught;
    let steering = { ...noSteering, trips: model.trips };
    let [still, steered] = [0, 0];
    // Everything scatters half as much again as the training data.
    const rougher = trips(3_000, 7).map((trip) => ({
      ...trip,
      actualS: trip.physicalS * (trip.actualS / trip.physicalS) ** 1.5,
    }));
    for (const trip of rougher) {
      const isWithin = ({ lowS, highS }: { lowS: number; highS: number }): boolean =>
        lowS <= trip.actualS && trip.actualS <= highS;
      if (isWithin(estimateArrival(model, trip))) still++;
      if (isWithin(estimateArrival(steeredModel(model, steering), trip))) steered++;
      steering = steeringAfter(model, steering, trip);
    }
    expect(still / rougher.length).toBeLessThan(0.72);
    expect(steered / rougher.length).toBeGreaterThan(0.785);
    expect(steered / rougher.length).toBeLessThan(0.815);
    // What was learned since survives the next training.
    expect(steering.drift).not.toEqual(noDrift);
    const { drift } = steering;
    const next = await trainArrivalModel(rougher.slice(0, 300), { ...of, drift });
    expect(next.drift).toEqual(drift);
  });

  it('M-026: trips of one day do not make its interval too narrow', async () => {
    const hours = trips(150, 8).map((trip, i) => ({ ...trip, departMs: i * 60_000 }));
    const model = await trainArrivalModel(hours, of);
    const covered = trips(2_000, 9).filter((trip) => {
      const { lowS, highS } = estimateArrival(model, trip);
      return lowS <= trip.actualS && trip.actualS <= highS;
    });
    expect(covered.length / 2_000).toBeGreaterThan(0.74);
  });

  it('is the same after it was written and read, and rejects an invalid file', async () => {
    const model = await trainArrivalModel(trips(300, 3), of);
    const again = decodeArrivalModel(encodeArrivalModel(model), 'grid');
    expect(again).toEqual(model);
    expect(() => decodeArrivalModel(encodeArrivalModel(model), 'other')).toThrow(/tileset/);
    expect(() => decodeArrivalModel(Buffer.from('{'), 'grid')).toThrow(/no arrival model/);
    expect(() => decodeArrivalModel(Buffer.from('{"format":"x"}'), 'grid')).toThrow(/format/);
    const looping = { ...model, correction: { base: 0, trees: [{ feature: [0], value: [1] }] } };
    expect(() => decodeArrivalModel(Buffer.from(JSON.stringify(looping)), 'grid')).toThrow(/not whole/);
  });

  it('answers even after training with one trip', async () => {
    const model = await trainArrivalModel(trips(1, 4), of);
    expect(estimateArrival(model, trips(1, 4)[0]!).durationS).toBeGreaterThan(0);
  });
});

describe('the physical time', () => {
  const edges = Array.from({ length: 60 }, (_, i) => ({ edgeId: `e${i}`, freeFlowMs: 60_000, lengthM: 800 }));

  it('uses the usual speed at the time when the driver arrives there, not when they start', () => {
    const rush = (_: string, atMs: number): number => (atMs < 1_800_000 ? 1 : 2);
    const { physicalS } = routeFeatures({ departMs: 0, localMs: 0, metricS: 3_600, edges }, rush);
    expect(physicalS).toBeCloseTo(30 * 60 + 30 * 120, -1);
  });

  it('adds what the live metric knows beyond that, less of it on longer routes', () => {
    const usual = (): number => 1;
    const short = routeFeatures({ departMs: 0, localMs: 0, metricS: 700, edges: edges.slice(0, 5) }, usual);
    expect(short.physicalS).toBeGreaterThan(650);
    const long = routeFeatures({ departMs: 0, localMs: 0, metricS: 7_200, edges }, usual);
    expect(long.physicalS).toBeLessThan(5_900);
    expect(long.physicalS).toBeGreaterThan(4_500);
  });
});
