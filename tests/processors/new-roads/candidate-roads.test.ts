import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { CandidateRoads } from '#processors/new-roads/candidate-roads.js';
import { type FlatPlace, flatMapAt, fromFlat, toFlat } from '#processors/new-roads/flat-map.js';
import { type JudgedPoint, offRoadRuns } from '#processors/new-roads/off-road-runs.js';
import { newRoadDefaults } from '#processors/new-roads/settings.js';

const map = flatMapAt(119_000_000, 577_000_000);
const judged = (x: number, y: number, offM: number): JudgedPoint => {
  return { ...fromFlat(map, [x, y]), accuracyM: 8, offM };
};

/** Along a bend of 300 m, every 20 m, each point with an error of a few metres. */
function pass(random: () => number, errorM: number, back = false): FlatPlace[] {
  const places = Array.from({ length: 16 }, (_, i): [number, number] => [
    20 * i + errorM * (2 * random() - 1),
    40 * Math.sin(i / 5) + errorM * (2 * random() - 1),
  ]);
  return back ? places.reverse() : places;
}

describe('off-road runs', () => {
  it('a run starts at the last good point and ends at the next one; one bad point is no run', () => {
    const offs = [1, 2, 40, 50, 1, 45, 60, 2, 1, 90, 1, 1];
    const runs = offRoadRuns(
      offs.map((off, i) => judged(30 * i, 0, off)),
      newRoadDefaults,
    );
    expect(runs).toHaveLength(1);
    expect(runs[0]!.map(({ lngE7, latE7 }) => Math.round(toFlat(map, lngE7, latE7)[0] / 30))).toEqual([
      1, 2, 3, 4, 5, 6, 7,
    ]);
  });

  it('a phone that jumps, or an inexact one, causes none', () => {
    const jump = [0, 1, 2, 3].map((i) => judged(i === 2 ? 5_000 : 30 * i, 0, i > 0 ? 80 : 1));
    expect(offRoadRuns(jump, newRoadDefaults)).toEqual([]);
    const inexact = Array.from({ length: 8 }, (_, i) => ({ ...judged(30 * i, 0, 40), accuracyM: 60 }));
    expect(offRoadRuns(inexact, newRoadDefaults)).toEqual([]);
  });

  it('places are converted back from the flat map', () => {
    expect(fromFlat(map, toFlat(map, 119_123_456, 577_123_456))).toEqual({
      lngE7: 119_123_456,
      latE7: 577_123_456,
    });
  });
});

describe('roads suggested by drives', () => {
  it('enough passes of enough drivers give one line near the truth, with counts and direction', () => {
    const random = seeded(3);
    const roads = new CandidateRoads(newRoadDefaults);
    for (let driver = 0; driver < 6; driver++) roads.add(pass(random, 6), driver);
    const [road, ...others] = roads.proposals();
    expect(others).toEqual([]);
    expect(road).toMatchObject({ passes: 6, drivers: 6, oneWay: true });
    for (const [x, y] of road!.line) {
      const off = Math.min(
        ...Array.from({ length: 301 }, (_, m) => Math.hypot(x - m, y - 40 * Math.sin(m / 100))),
      );
      expect(off).toBeLessThan(6);
    }
    roads.add(pass(random, 6, true), 7);
    expect(roads.proposals()).toMatchObject([{ passes: 7, oneWay: false }]);
  });

  it('a single driver proposes nothing, with any number of passes', () => {
    const random = seeded(4);
    const roads = new CandidateRoads(newRoadDefaults);
    for (let i = 0; i < 50; i++) roads.add(pass(random, 6), 1);
    expect(roads.proposals()).toEqual([]);
    for (let driver = 2; driver < newRoadDefaults.driversMin; driver++) roads.add(pass(random, 6), driver);
    expect(roads.proposals()).toEqual([]);
  });

  it('runs at other places do not count for it', () => {
    const random = seeded(5);
    const roads = new CandidateRoads(newRoadDefaults);
    for (let driver = 0; driver < 3; driver++) roads.add(pass(random, 4), driver);
    for (let driver = 3; driver < 6; driver++)
      roads.add(
        pass(random, 4).map(([x, y]): [number, number] => [x, y + 120]),
        driver,
      );
    expect(roads.proposals()).toEqual([]);
  });
});
