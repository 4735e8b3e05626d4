import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hourOfWeek, type UserPatterns } from '#map-data/learned/user-patterns.js';
import { learnStay } from '#processors/personalization/learn-stay.js';
import { addToTrace, newTrace, type OpenTrace } from '#processors/personalization/stays.js';
import type { LocationBatch } from '#schemas/location.js';
import { runs } from '../../property-runs.js';
import { batchOf, type Fix } from '../drivers.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Monday. */
const startMs = Date.UTC(2026, 10, 2);
const home = { lat: 57.7, lng: 11.9 };
const work = { lat: 57.73, lng: 11.98 };
const shop = { lat: 57.71, lng: 11.92 };

const noPatterns: UserPatterns = { sinceMs: 0, foldedMs: 0, nextPlaceId: 1, places: [], routes: [] };

/** A phone at a place, once a minute, within some metres of it. */
function at(place: { lat: number; lng: number }, fromMs: number, toMs: number): Fix[] {
  const fixes: Fix[] = [];
  for (let timeMs = fromMs; timeMs < toMs; timeMs += minuteMs) {
    const wobble = 3e-4 * Math.sin(timeMs / 7e5);
    fixes.push({ lat: place.lat + wobble, lng: place.lng - wobble, timeMs });
  }
  return fixes;
}

/** Half an hour between two places, once a minute. */
function way(from: typeof home, to: typeof home, fromMs: number): Fix[] {
  return Array.from({ length: 30 }, (_, i) => ({
    lat: from.lat + ((to.lat - from.lat) * i) / 30,
    lng: from.lng + ((to.lng - from.lng) * i) / 30,
    timeMs: fromMs + i * minuteMs,
  }));
}

/** Home until 7:00, at work from 7:30 to 16:00, home from 16:30. */
const workday = (dayStartMs: number): Fix[] => [
  ...at(home, dayStartMs, dayStartMs + 7 * hourMs),
  ...way(home, work, dayStartMs + 7 * hourMs),
  ...at(work, dayStartMs + 7.5 * hourMs, dayStartMs + 16 * hourMs),
  ...way(work, home, dayStartMs + 16 * hourMs),
  ...at(home, dayStartMs + 16.5 * hourMs, dayStartMs + dayMs),
];

const week = Array.from({ length: 4 }, (_, day) => workday(startMs + day * dayMs)).flat();

/** Batches of seven minutes, so that two share a step of time; all accepted after their points. */
const batchMin = 7;
const batches: LocationBatch[] = Array.from({ length: Math.ceil(week.length / batchMin) }, (_, i) =>
  batchOf('u', `b${i}`, week.slice(i * batchMin, (i + 1) * batchMin), startMs + 30 * dayMs),
);

function learn(some: readonly LocationBatch[]): { patterns: UserPatterns; trace: OpenTrace; late: number } {
  let trace = newTrace;
  let patterns = noPatterns;
  let late = 0;
  for (const batch of some) {
    const added = addToTrace(trace, batch);
    trace = added.trace;
    late += added.late;
    for (const stay of added.stays) patterns = learnStay(patterns, stay, []);
  }
  return { patterns, trace, late };
}

describe('usual places of a user', () => {
  test('are where they stay, with the hours of arrival and departure', () => {
    const { patterns } = learn(batches);
    const [first, second] = patterns.places.toSorted((a, b) => a.id - b.id);
    expect(patterns.places).toHaveLength(2);
    expect(first!.latE7 / 1e7).toBeCloseTo(home.lat, 3);
    expect(second!.lngE7 / 1e7).toBeCloseTo(work.lng, 3);
    expect(second!.days).toBe(4);
    const monday = hourOfWeek(startMs);
    expect(monday).toBe(0);
    expect(second!.arrivals.map(([hour]) => hour)).toEqual([7, 31, 55, 79]);
    expect(second!.departures.map(([hour]) => hour)).toEqual([16, 40, 64, 88]);
  });

  test('any order within two hours, and repetition, gives the same places', () => {
    const expected = learn(batches);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: batches.length, maxLength: batches.length }),
        fc.array(fc.nat(batches.length - 1), { maxLength: 20 }),
        (delaysMin, repeated) => {
          const sent = [
            ...batches.map((batch, i) => ({ batch, atMin: i * batchMin + delaysMin[i]! })),
            ...repeated.map((i) => ({ batch: batches[i]!, atMin: i * batchMin + 100 })),
          ].sort((a, b) => a.atMin - b.atMin);
          const found = learn(sent.map(({ batch }) => batch));
          expect(found).toEqual(expected);
        },
      ),
      { seed: 20261125, numRuns: runs(60) },
    );
  });

  test('a batch that is three hours late changes nothing and is counted', () => {
    const inTime = learn(batches);
    const { patterns, late } = learn([
      ...batches,
      batchOf(
        'u',
        'late',
        at(shop, startMs + 3.5 * dayMs, startMs + 3.5 * dayMs + hourMs),
        startMs + 30 * dayMs,
      ),
    ]);
    expect(patterns).toEqual(inTime.patterns);
    expect(late).toBe(60);
  });

  test('one position elsewhere is an error of the phone, a few minutes are no stay', () => {
    const jump = { ...shop, timeMs: startMs + 3 * hourMs };
    const fixes = [
      ...at(home, startMs, startMs + 3 * hourMs),
      jump,
      ...at(home, startMs + 3 * hourMs + 5 * minuteMs, startMs + 6 * hourMs),
      ...at(shop, startMs + 6 * hourMs, startMs + 6 * hourMs + 8 * minuteMs),
      ...at(work, startMs + 6.5 * hourMs, startMs + 7 * hourMs),
      ...at(shop, startMs + 9 * hourMs, startMs + 12 * hourMs),
    ];
    const { stays } = addToTrace(newTrace, batchOf('u', 'b', fixes, startMs + dayMs));
    expect(stays.map(({ arrivedMs, leftMs }) => [arrivedMs - startMs, leftMs - startMs])).toEqual([
      [0, 6 * hourMs - 5 * minuteMs],
      [6.5 * hourMs, 7 * hourMs - 5 * minuteMs],
    ]);
  });

  test('an inaccurate point, and one from the future, say nothing', () => {
    const batch = batchOf('u', 'b', at(home, startMs, startMs + hourMs), startMs + hourMs);
    const accuracyM = new Float32Array(batch.points.count).fill(101);
    const vague = { ...batch, points: { ...batch.points, accuracyM } };
    expect(addToTrace(newTrace, vague).trace.samples).toEqual([]);
    const early = { ...batch, receivedMs: startMs - hourMs };
    expect(addToTrace(newTrace, early).trace.samples).toEqual([]);
    expect(addToTrace(newTrace, batch).trace.samples).toHaveLength(12);
  });

  test('the state of a user stays small, however long they stay and whatever they send', () => {
    const trace = Array.from({ length: 40 }, (_, day) => workday(startMs + day * dayMs)).reduce(
      (before, fixes) => addToTrace(before, batchOf('u', 'b', fixes, startMs + 90 * dayMs)).trace,
      newTrace,
    );
    expect(trace.samples.length).toBeLessThanOrEqual(24);
    expect(JSON.stringify(trace).length).toBeLessThan(2_000);
  });
});
