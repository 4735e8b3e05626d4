import { describe, expect, it } from 'vitest';
import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import { seededRandom } from '#platform/random/random.js';
import {
  adopt,
  type Learned,
  type Lesson,
  lessonOf,
  nothingLearned,
  take,
} from '#processors/arrival-times/arrival-learning.js';
import { arrivalModelState } from '#processors/arrival-times/arrival-model-state.js';
import { noScore } from '#processors/arrival-times/arrival-scores.js';
import { estimateArrival } from '#routing-engine/arrival-times/arrival-model.js';
import { steeredModel } from '#routing-engine/arrival-times/steering.js';
import type { ArrivalObserved } from '#schemas/messages.js';

const t0 = Date.UTC(2026, 10, 16, 8);
const prior = arrivalPrior('city');
const localMs = (atMs: number): number => atMs;
const settings = { tilesetId: 'city', localMs, prior, trainEvery: 300, steerEveryMs: 60_000 };

/** Ten minutes on unknown roads; takes `factor` times what the prior says, and some noise. */
function trip(i: number, factor = 1, noise = 0, saidS = 0): ArrivalObserved {
  const features = [Math.log(690), Math.log(1.15), 0.05, 36, 8, 0, 8, 0];
  const expected = estimateArrival(prior, { row: features, physicalS: 690 }).durationS;
  return {
    ...{ tilesetId: 'city', corridor: '1>2', departedMs: t0 + i * 30_000, features, physicalS: 690 },
    ...{ actualS: expected * factor * Math.exp(noise), metricS: 630, modelVersion: 0, driver: 0 },
    ...{ saidS, lowS: 0, highS: 0 },
  };
}

async function learn(learned: Learned, each: ArrivalObserved, i: number, more = {}): Promise<Lesson> {
  const nowMs = t0 + i * 1_000;
  const lesson = await lessonOf(learned, each, nowMs, { ...settings, ...more });
  take(learned, lesson, nowMs);
  return lesson;
}

const said = (learned: Learned) => {
  const { features: row, physicalS } = trip(0);
  return estimateArrival(steeredModel(learned.model!, learned.steering), { row, physicalS });
};
const onPrior = (): Learned => ({ ...nothingLearned(), model: prior });

describe('learning arrival times', () => {
  it('M-026: the first trip already moves the times, and few trips move them most of the way', async () => {
    const learned = onPrior();
    const before = said(learned);
    await learn(learned, trip(0, 1.3), 0);
    const after = said(learned);
    expect(after.durationS / before.durationS).toBeGreaterThan(1.1);
    for (let i = 1; i < 10; i++) await learn(learned, trip(i, 1.3), i);
    expect(said(learned).durationS / before.durationS).toBeCloseTo(1.3, 1);
  });

  it('one trip with a long break moves the times by no more than a factor of 1.5', async () => {
    const learned = onPrior();
    const before = said(learned);
    await learn(learned, trip(0, 4.9), 0);
    expect(said(learned).durationS / before.durationS).toBeLessThan(1.5);
  });

  it('M-026: the interval is wide at first and narrows or widens with the errors', async () => {
    const width = ({ lowS, highS }: { lowS: number; highS: number }): number => Math.log(highS / lowS);
    const [calm, rough] = [onPrior(), onPrior()];
    const first = width(said(calm));
    // How fast this place is is not known yet.
    const { features: row, physicalS } = trip(0);
    expect(first).toBeGreaterThan(1.3 * width(estimateArrival(prior, { row, physicalS })));
    const random = seededRandom(3);
    for (let i = 0; i < 40; i++) {
      const noise = random.normal();
      const [saidCalm, saidRough] = [said(calm).durationS, said(rough).durationS];
      await learn(calm, trip(i, 1, 0.02 * noise, saidCalm), i);
      await learn(rough, trip(i, 1, 0.3 * noise, saidRough), i);
    }
    expect(width(said(calm))).toBeLessThan(0.6 * first);
    expect(width(said(rough))).toBeGreaterThan(3 * width(said(calm)));
  });

  it('the interval follows the error that a reader had, not one that later trips explain', async () => {
    const [told, untold] = [onPrior(), onPrior()];
    const early = 1.02 * said(told).durationS;
    for (let i = 0; i < 30; i++) {
      await learn(told, trip(i, 1.5, 0, early), i);
      await learn(untold, trip(i, 1.5), i);
    }
    expect(said(told).highS).toBeGreaterThan(1.1 * said(untold).highS);
  });

  it('what was said before the first trip widens no interval: the place was unknown', async () => {
    const [blind, untold] = [onPrior(), onPrior()];
    const atFirst = said(blind).durationS;
    for (let i = 0; i < 30; i++) {
      await learn(blind, trip(i, 1.5, 0, atFirst), i);
      await learn(untold, trip(i, 1.5), i);
    }
    expect(said(blind)).toEqual(said(untold));
  });

  it('publishes after the first trip, each time the trips have doubled, and once a minute', async () => {
    const learned = onPrior();
    const published: number[] = [];
    for (let i = 0; i < 40; i++)
      if ((await learn(learned, trip(i), i)).publish !== undefined) published.push(i + 1);
    expect(published).toEqual([1, 2, 4, 8, 16, 32]);
    const later = await lessonOf(learned, trip(41), t0 + 31_000 + 60_000, settings);
    expect(later.publish).toMatchObject({ version: 7, trips: 41 });
  });

  it('M-026: the first training follows after 50 trips, with the prior as its beginning', async () => {
    const learned = onPrior();
    const random = seededRandom(5);
    const trained: number[] = [];
    for (let i = 0; i < 420; i++) {
      const each = trip(i, 1.2, 0.05 * random.normal(), said(learned).durationS);
      const lesson = await learn(learned, each, i);
      if (lesson.isTrained) trained.push(i + 1);
      // No jump: neither at a training nor between two.
      if (i >= 20) expect(Math.abs(said(learned).durationS / trip(0, 1.2).actualS - 1)).toBeLessThan(0.06);
    }
    expect(trained).toEqual([50, 100, 200, 400]);
    expect(learned.model!.correction.trees.slice(0, 60)).toEqual(prior.correction.trees);
  });

  it('a model that was learned from more trips is kept until there are as many', async () => {
    const learned = onPrior();
    adopt(learned, { ...prior, version: 9, trips: 120 });
    const trained: number[] = [];
    for (let i = 0; i < 130; i++) if ((await learn(learned, trip(i), i)).isTrained) trained.push(i + 1);
    expect(trained).toEqual([120]);
    expect(learned.model!.version).toBeGreaterThan(9);
  });

  it('without a readable prior the first trips train, as before', async () => {
    const learned = nothingLearned();
    const { prior: _, ...others } = settings;
    const alone = { ...others, prior: undefined };
    for (let i = 0; i < 49; i++) {
      const lesson = await lessonOf(learned, trip(i), t0, alone);
      expect(lesson.publish).toBeUndefined();
      take(learned, lesson, t0);
    }
    const { publish } = await lessonOf(learned, trip(49), t0, alone);
    expect(publish).toMatchObject({ version: 1, trips: 50 });
  });

  it('a state of an earlier program goes on with its model and drift, and the other way round', () => {
    const { encode, decode, fresh } = arrivalModelState('city', localMs);
    const drift = [0.1, 0.2, 0.3, 0.4];
    const model = { ...prior, version: 12, trips: 600, drift };
    const { steering: _, publishedTrips: __, corridors: ___, ...others } = { ...fresh(0), model };
    const plain = { ...others, corridors: [], drift, publishedMs: t0 };
    const earlier = decode(Buffer.from(JSON.stringify({ layout: 2, tilesetId: 'city', plain })), 0);
    expect(earlier.steering).toEqual({ trips: 600, level: 0, spread: 0, drift });
    expect(earlier).toMatchObject({ model: { version: 12 }, publishedTrips: 600 });
    expect(decode(encode(earlier), 0)).toEqual(earlier);
    expect(JSON.parse(Buffer.from(encode(earlier)).toString()).plain.drift).toEqual(drift);
  });

  it('trips of an earlier program get the hour of the clock, and train a new model', async () => {
    const inParis = (atMs: number): number => atMs + 2 * 3_600_000;
    const learned = nothingLearned();
    for (let i = 0; i < 60; i++) await learn(learned, trip(i), i, { prior: undefined });
    expect(learned.model).toBeDefined();
    const old = { ...learned.model!, format: 'meridian arrival model 2', version: 7 };
    const { encode } = arrivalModelState('city', localMs);
    const stored = JSON.parse(
      Buffer.from(encode({ ...nothingLearned(), ...learned, corridors: new Map(), all: noScore })).toString(),
    );
    stored.plain.model = old;
    const state = arrivalModelState('city', inParis).decode(Buffer.from(JSON.stringify(stored)), 0);
    expect(state.model).toBeUndefined();
    expect(state.trips).toHaveLength(60);
    expect(state.trips[0]!.row.slice(6)).toEqual([10, 0]);
    const lesson = await learn(state, trip(60), 60, { localMs: inParis });
    expect(lesson).toMatchObject({ isTrained: true, trip: { row: trip(0).features.with(6, 10.5) } });
  });
});
