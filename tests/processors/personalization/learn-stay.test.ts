import { describe, expect, test } from 'vitest';
import {
  isUsualPlace,
  isUsualRoute,
  patternLimits,
  type UserPatterns,
  weightAt,
} from '#map-data/learned/user-patterns.js';
import { learnStay } from '#processors/personalization/learn-stay.js';
import type { Driven } from '#processors/personalization/learn-trip.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = Date.UTC(2026, 10, 2);
const none: UserPatterns = { sinceMs: 0, foldedMs: 0, nextPlaceId: 1, places: [], routes: [] };

/** Places are numbered; each is a kilometre north of the one before. */
const stay = (place: number, arrivedMs: number, hours = 1) => ({
  ...{ arrivedMs, leftMs: arrivedMs + hours * hourMs },
  ...{ latE7: 577_000_000 + place * 90_000, lngE7: 119_000_000 },
});

/** There at 8:00, back at 17:00, over edges of 100 m that are named by `names`. */
function commute(patterns: UserPatterns, day: number, names: string): UserPatterns {
  const atMs = startMs + day * dayMs;
  const driven = names.split('').map((name, i): Driven => [name, 100, atMs + 7.2 * hourMs + i * 1_000]);
  const there = learnStay(learnStay(patterns, stay(0, atMs, 7), []), stay(1, atMs + 8 * hourMs, 8), driven);
  return there;
}

describe('what is learned of a stay', () => {
  test('a place is usual after arrivals on three days, not before', () => {
    let patterns = none;
    for (let visit = 0; visit < 5; visit++)
      patterns = learnStay(patterns, stay(1, startMs + visit * 2 * hourMs), []);
    const now = startMs + 3 * dayMs;
    expect(patterns.places).toHaveLength(1);
    expect(isUsualPlace(patterns.places[0]!, now)).toBe(false);
    patterns = learnStay(patterns, stay(1, startMs + dayMs), []);
    expect(isUsualPlace(patterns.places[0]!, now)).toBe(false);
    patterns = learnStay(patterns, stay(1, startMs + 2 * dayMs), []);
    expect(isUsualPlace(patterns.places[0]!, now)).toBe(true);
    expect(isUsualPlace(patterns.places[0]!, now + patternLimits.keptMs)).toBe(false);
  });

  test('a night at home counts for the day of arrival, each evening by itself', () => {
    let patterns = none;
    for (let day = 0; day < 3; day++)
      patterns = learnStay(patterns, stay(0, startMs + day * dayMs + 18 * hourMs, 14), []);
    expect(patterns.places[0]!.days).toBe(3);
  });

  test('a stay that is in the patterns already changes nothing', () => {
    const once = commute(commute(none, 0, 'abcde'), 1, 'abcde');
    expect(commute(commute(once, 0, 'abcde'), 1, 'xyz')).toBe(once);
  });

  test('half of the weight is gone after 30 days, and a place after 90', () => {
    const first = learnStay(none, stay(1, startMs), []);
    const [place] = first.places;
    expect(weightAt(place!.weight, place!.lastMs, place!.lastMs + 30 * dayMs)).toBe(0.5);
    const later = learnStay(first, stay(1, startMs + 30 * dayMs), []);
    expect(later.places[0]!.weight).toBeCloseTo(1.5, 5);
    const moved = learnStay(first, stay(7, startMs + 91 * dayMs), []);
    expect(moved.places.map(({ id }) => id)).toEqual([2]);
  });

  test('places and routes are bounded; the least used go first', () => {
    let patterns = none;
    for (let day = 0; day < 5; day++) patterns = learnStay(patterns, stay(0, startMs + day * dayMs), []);
    for (let place = 1; place <= 40; place++)
      patterns = learnStay(patterns, stay(place, startMs + 5 * dayMs + place * 2 * hourMs), [
        [`e${place}`, 100, startMs + 5 * dayMs + place * 2 * hourMs - hourMs],
      ]);
    expect(patterns.places).toHaveLength(patternLimits.placesMax);
    expect(patterns.places[0]!.id).toBe(1);
    expect(patterns.routes.length).toBeLessThanOrEqual(patternLimits.routesMax);
    const ids = new Set(patterns.places.map(({ id }) => id));
    expect(patterns.routes.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true);
  });
});

describe('what is learned of a trip', () => {
  test('trips with 70 % of their length in common are one route, with the edges of the last', () => {
    let patterns = none;
    for (const [day, names] of ['abcdefgh', 'abcdefgi', 'abcdefgh'].entries())
      patterns = commute(patterns, day, names);
    const [route] = patterns.routes;
    expect(patterns.routes).toHaveLength(1);
    expect(route).toMatchObject({ from: 1, to: 2, trips: 3 });
    expect(route!.edges.map(([edgeId]) => edgeId).join('')).toBe('abcdefgh');
    expect(isUsualRoute(route!, startMs + 4 * dayMs)).toBe(true);
  });

  test('another way is another route; a pair keeps three', () => {
    let patterns = none;
    for (const [day, names] of ['abcd', 'abcd', 'efgh', 'ijkl', 'mnop'].entries())
      patterns = commute(patterns, day, names);
    expect(patterns.routes.map(({ trips, edges }) => [edges[0]![0], trips])).toEqual([
      ['a', 2],
      ['m', 1],
      ['i', 1],
    ]);
    expect(patterns.routes.every((route) => !isUsualRoute(route, startMs + 6 * dayMs))).toBe(true);
  });

  test('only edges between the two stays count, and at most the longest hundred', () => {
    const home = learnStay(none, stay(0, startMs, 7), []);
    const driven: Driven[] = [
      ['before', 100, startMs + 3 * hourMs],
      ...Array.from({ length: 150 }, (_, i): Driven => [`e${i}`, 1 + i, startMs + 7.2 * hourMs + i]),
      ['after', 100, startMs + 10 * hourMs],
    ];
    const { routes } = learnStay(home, stay(1, startMs + 8 * hourMs, 8), driven);
    expect(routes[0]!.edges).toHaveLength(patternLimits.routeEdgesMax);
    expect(routes[0]!.edges.map(([edgeId]) => edgeId)).not.toContain('before');
    expect(routes[0]!.edges.map(([edgeId]) => edgeId)).not.toContain('after');
    expect(Math.min(...routes[0]!.edges.map(([, lengthM]) => lengthM))).toBe(51);
  });

  test('there is no trip without driven edges, within one place, or over half a day', () => {
    const home = learnStay(none, stay(0, startMs, 7), []);
    expect(learnStay(home, stay(1, startMs + 8 * hourMs), []).routes).toEqual([]);
    const edges: Driven[] = [['a', 100, startMs + 7.5 * hourMs]];
    expect(learnStay(home, stay(0, startMs + 8 * hourMs), edges).routes).toEqual([]);
    expect(learnStay(home, stay(1, startMs + 20 * hourMs), edges).routes).toEqual([]);
    expect(learnStay(home, stay(1, startMs + 8 * hourMs), edges).routes).toHaveLength(1);
  });
});
