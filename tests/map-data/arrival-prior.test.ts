import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { priorPlace, priorTrips } from '#bench/streams/prior-worlds.js';
import { replayTrips } from '#bench/streams/replay-trips.js';
import { trainPrior } from '#bench/streams/train-prior.js';
import { arrivalPrior, arrivalPriorFile, usablePrior } from '#map-data/learned/arrival-prior.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { encodeArrivalModel } from '#routing-engine/arrival-times/arrival-model.js';
import { mapClock } from '#routing-engine/arrival-times/map-clock.js';
import { gothenburg, networkOf } from '../tile-builder/real-maps.js';

const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length;

describe('the prior of arrival times', () => {
  // After `npx meridian bench streams prior` change it here and in map-data/README.md.
  it('is the file that was trained, small and readable', () => {
    const bytes = readFileSync(arrivalPriorFile());
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(
      'd4dfdd875ed0529c3eb0d3229c450ad8ddb1de5f3b51375d6f47a1ec6baa6942',
    );
    expect(bytes.length).toBeLessThan(100_000);
    expect(arrivalPrior('city')).toMatchObject({ tilesetId: 'city', version: 0, trips: 0 });
  });

  it('a damaged or missing file is reported, and nothing else fails', () => {
    const folder = mkdtempSync(join(tmpdir(), 'prior-'));
    const errors: string[] = [];
    const logger = { error: (message: string) => errors.push(message) };
    const damaged = join(folder, 'damaged.json');
    writeFileSync(damaged, readFileSync(arrivalPriorFile()).subarray(0, 1_000));
    expect(usablePrior('city', logger, damaged)).toBeUndefined();
    expect(usablePrior('city', logger, join(folder, 'missing.json'))).toBeUndefined();
    expect(errors).toHaveLength(2);
    expect(usablePrior('city', silentLogger)?.version).toBe(0);
    rmSync(folder, { recursive: true });
  });

  it('the same trips train the same bytes', async () => {
    const network = await networkOf(gothenburg);
    const train = async (seed: number): Promise<string> => {
      const places = [seed, 9].map((each) => {
        const { traffic, trips } = priorPlace(network, each);
        return { traffic, trips: trips.slice(0, 80) };
      });
      const { model } = await trainPrior(places, () => 0.1);
      return Buffer.from(encodeArrivalModel(model)).toString();
    };
    expect(await train(8)).toBe(await train(8));
    expect(await train(8)).not.toBe(await train(10));
  });

  it('M-026: on a map that it has not seen, times and intervals hold from the first trip', async () => {
    const network = await networkOf(gothenburg);
    const settings = {
      tilesetId: 'city',
      localMs: mapClock(network),
      prior: arrivalPrior('city'),
      trainEvery: 300,
      steerEveryMs: 60_000,
    };
    const ratios: number[] = [];
    const covered: number[] = [];
    for (let seed = 9_000; covered.length < 2_500; seed++) {
      const trips = priorTrips(network, seed);
      const { predicted } = await replayTrips(trips.slice(0, 400), settings);
      const error = (of: (trip: (typeof predicted)[number]) => number): number =>
        mean(predicted.map((trip) => Math.abs(of(trip) / trip.actualS - 1)));
      if (predicted.length < 50) continue;
      ratios.push(
        error(({ durationS }) => durationS) / error(({ physicalS, row }) => physicalS * Math.exp(-row[1]!)),
      );
      covered.push(
        ...predicted.map(({ lowS, highS, actualS }) => (lowS <= actualS && actualS <= highS ? 1 : 0)),
      );
    }
    expect(mean(ratios)).toBeLessThan(0.7);
    // 78 to 82 %, and two standard errors of 2,500 trips.
    expect(mean(covered)).toBeGreaterThan(0.764);
    expect(mean(covered)).toBeLessThan(0.836);
  });
});
