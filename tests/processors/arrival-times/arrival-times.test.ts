import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ArrivalModelStore } from '#map-data/learned/arrival-model-store.js';
import { ArrivalModels } from '#map-data/learned/arrival-models.js';
import { arrivalPrior } from '#map-data/learned/arrival-prior.js';
import { silentLogger } from '#platform/telemetry/logger.js';
import { noScore, scored } from '#processors/arrival-times/arrival-scores.js';
import { FinishedTrips, type OpenTrip } from '#processors/arrival-times/finished-trips.js';
import { startArrivalModel } from '#processors/arrival-times/start-arrival-model.js';
import { startFinishedTrips } from '#processors/arrival-times/start-finished-trips.js';
import { type ArrivalModel, estimateArrival } from '#routing-engine/arrival-times/arrival-model.js';
import { type NavigationChanged, navigationState } from '#schemas/messages.js';
import { eventually } from '../../eventually.js';
import { type Grid, gridNetwork } from '../grid-network.js';
import { groupDeps, type LocalPlatform, openLocalPlatform } from '../local-platform.js';

const t0 = Date.UTC(2026, 10, 16, 8);
const nothingUsual = () => undefined;

describe('arrival times', () => {
  let platform: LocalPlatform;
  let grid: Grid;
  let edgeIds: string[];
  let destination: { latE7: number; lngE7: number };
  beforeEach(async () => {
    platform = await openLocalPlatform();
    grid = await gridNetwork(8, 3);
    const way = grid.way([0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0], [6, 0], [7, 0]);
    edgeIds = grid.ids(way);
    const { lat, lng } = grid.place(way.at(-1)!, 1);
    destination = { latE7: Math.round(lat * 1e7), lngE7: Math.round(lng * 1e7) };
  });
  afterEach(() => platform.close());

  const change = (trip: number, state: number, changedMs: number, more = {}): NavigationChanged => ({
    ...{ navigationId: `n${trip}`, userId: `u${trip}`, state, tilesetId: grid.network.tilesetId, edgeIds },
    ...{
      destinationLatE7: destination.latE7,
      destinationLngE7: destination.lngE7,
      tiles: [],
      durationS: 110,
    },
    ...{ metricVersion: 1, routeVersion: 1, avoid: [], changedMs, ...more },
  });
  const at = (trip: number, timeMs: number, offE7 = 0) => ({
    ...{ navigationId: `n${trip}`, userId: `u${trip}`, timeMs, lngE7: destination.lngE7 },
    latE7: destination.latE7 + offE7,
  });
  const steps = () =>
    new FinishedTrips({
      network: grid.network,
      typicalRatio: nothingUsual,
      model: () => undefined,
      pseudonym: () => 7,
    });

  it('a trip lasts from the start to the destination, also over another route on the way', () => {
    const trips = steps();
    const begun = trips.change(undefined, change(1, navigationState.started, t0)).open!;
    const away = trips.move(begun, at(1, t0 + 50_000, 90_000))!;
    expect(trips.change(away, change(1, navigationState.ended, t0 + 200_000)).finished).toBeUndefined();
    const arrived = trips.move(away, at(1, t0 + 190_000, 5_000))!;
    const end = change(1, navigationState.ended, t0 + 200_000);
    expect(trips.change(arrived, end)).toMatchObject({
      open: undefined,
      finished: { actualS: 200, saidS: 0 },
    });
    const again = change(1, navigationState.rerouted, t0 + 60_000, { routeVersion: 2 });
    const rerouted = trips.change(arrived, again).open!;
    expect(trips.change(rerouted, again).open).toBe(rerouted);
    const there = trips.move(rerouted, at(1, t0 + 190_000))!;
    expect(trips.change(there, end).finished).toMatchObject({ actualS: 200, departedMs: t0 });
  });

  it('learns nothing from trips that are old, on another navigation or map, or absurd', () => {
    const trips = steps();
    const begun = trips.change(undefined, change(1, navigationState.started, t0)).open!;
    expect(trips.change(begun, change(1, navigationState.started, t0)).open).toBe(begun);
    expect(trips.change(begun, change(2, navigationState.ended, t0)).open).toBe(begun);
    expect(trips.move(begun, at(2, t0 + 1))).toBeUndefined();
    expect(trips.move(begun, at(1, t0 - 1))).toBeUndefined();
    const other = change(3, navigationState.started, t0, { tilesetId: 'old' });
    expect(trips.change(undefined, other).open).toBeUndefined();
    const arrived = trips.move(begun, at(1, t0 + 10_000)) as OpenTrip;
    expect(trips.change(arrived, change(1, navigationState.ended, t0 + 20_000)).finished).toBeUndefined();
    expect(trips.change(arrived, change(1, navigationState.ended, t0 + 86_400_000)).finished).toBeUndefined();
  });

  it('scores arrival times by error, bias and share within the interval', () => {
    let score = noScore;
    for (let i = 0; i < 100; i++)
      score = scored(score, { saidS: 110, lowS: 90, highS: 120, actualS: i % 4 === 0 ? 130 : 100 });
    expect(score.covered).toBeCloseTo(0.75, 1);
    expect(score.error).toBeCloseTo((0.1 * 3 + 2 / 13) / 4, 2);
    expect(score.bias).toBeCloseTo((0.1 * 3 - 2 / 13) / 4, 1);
    expect(scored(score, { saidS: 0, lowS: 0, highS: 0, actualS: 100 })).toBe(score);
  });

  it('M-026: learns arrival times from navigations by two groups; the model scores later trips', async () => {
    const { codecs, objects } = platform;
    const { network } = grid;
    const drive = async (trip: number, tookS: number): Promise<void> => {
      const startMs = t0 + trip * 600_000;
      await platform.append(
        codecs.navSessionChanged,
        `u${trip}`,
        change(trip, navigationState.started, startMs),
      );
      await platform.append(codecs.navProgress, `u${trip}`, at(trip, startMs + tookS * 1_000 - 2_000));
    };
    const end = (trip: number, tookS: number): Promise<void> =>
      platform.append(
        codecs.navSessionChanged,
        `u${trip}`,
        change(trip, navigationState.ended, t0 + trip * 600_000 + tookS * 1_000),
      );
    const took = (trip: number): number => 180 + (trip % 7) * 5;
    const models = await ArrivalModels.open({ objects, tilesetId: network.tilesetId, logger: silentLogger });
    const deps = { ...groupDeps(platform), network };
    const finished = await startFinishedTrips({
      ...deps,
      typicalRatio: nothingUsual,
      model: () => models.current,
      pseudonymKey: 'test key',
    });
    const learning = await startArrivalModel({ ...deps, trainEvery: 40, steerEveryMs: 0 });
    await finished.ready;
    // A position may be read before or after the change next to it; so one kind is read before the next is
    // written.
    const driveAll = async (from: number, to: number): Promise<void> => {
      for (let trip = from; trip < to; trip++) await drive(trip, took(trip));
      await eventually(() => expect(finished.stats()['begun']).toBe(to));
      for (let trip = from; trip < to; trip++)
        await platform.append(
          codecs.navProgress,
          `u${trip}`,
          at(trip, t0 + trip * 600_000 + took(trip) * 1_000 - 1_000),
        );
      for (let trip = from; trip < to; trip++) await end(trip, took(trip));
    };
    await driveAll(0, 60);
    await eventually(() => expect(learning.stats()).toMatchObject({ models: 1, learnt: 60 }));
    await models.refresh();
    // Trained once; every other trip moved the times and the interval.
    expect(models.current).toMatchObject({ version: 60, trips: 60 });
    expect(models.current?.drift.some((each) => each !== 0)).toBe(true);
    await driveAll(60, 70);
    await eventually(async () => {
      const observed = await platform.read(codecs.navArrivalObserved);
      expect(observed.length).toBeGreaterThanOrEqual(65);
      const told = observed.filter(({ modelVersion }) => modelVersion >= 60);
      expect(told.length).toBeGreaterThanOrEqual(5);
      for (const { saidS, actualS, lowS, highS } of told) {
        // These trips know no rush hour; the prior, which training continues from, expects one.
        expect(Math.abs(saidS / actualS - 1)).toBeLessThan(0.2);
        expect(lowS).toBeLessThan(highS);
      }
    });
    expect(JSON.stringify(await platform.read(codecs.navArrivalObserved))).not.toContain('"u1');
    await learning.close();
    await finished.close();
    models.close();
  });

  it('M-026: steers the prior from the first trip, and goes on from a newer published model', async () => {
    const { codecs, objects } = platform;
    const { network } = grid;
    const { tilesetId } = network;
    const store = new ArrivalModelStore(objects, tilesetId);
    const prior = arrivalPrior(tilesetId);
    const row = [Math.log(690), Math.log(1.15), 0.05, 36, 8, 0, 8, 0];
    const said = (model: ArrivalModel) => estimateArrival(model, { row, physicalS: 690 }).durationS;
    const observe = async (factor: number): Promise<void> => {
      const trip = {
        tilesetId,
        corridor: '1>2',
        departedMs: t0,
        metricS: 630,
        physicalS: 690,
        features: row,
      };
      const nothingSaid = { saidS: 0, lowS: 0, highS: 0, modelVersion: 0, driver: 1 };
      const actualS = factor * said(prior);
      await platform.append(codecs.navArrivalObserved, '1>2', { ...trip, ...nothingSaid, actualS });
    };
    const deps = { ...groupDeps(platform), network, steerEveryMs: 0 };
    const first = await startArrivalModel(deps);
    await observe(1.4);
    await eventually(async () => expect(await store.newestVersion()).toBe(1));
    expect(said((await store.newest())!) / said(prior)).toBeGreaterThan(1.15);
    await first.close();

    // Half as long: what a command trained.
    const { correction } = prior;
    const trained = { ...correction, base: correction.base - Math.log(2) };
    await store.publish({ ...prior, correction: trained, version: 7, trips: 500 });
    const second = await startArrivalModel(deps);
    await observe(0.5);
    await eventually(async () => expect(await store.newestVersion()).toBe(8));
    expect(said((await store.newest())!) / said(prior)).toBeCloseTo(0.5, 1);
    await second.close();
  });
});
