import { describe, expect, test } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { improvedTour } from '#routing-engine/trip/improved-tour.js';
import { insertedTour } from '#routing-engine/trip/inserted-tour.js';
import { TourCosts } from '#routing-engine/trip/tour-costs.js';
import { exactPlacesMax, type VisitRules, visitOrder } from '#routing-engine/trip/visit-order.js';
import { runs } from '../property-runs.js';

const allRules: readonly VisitRules[] = [
  { roundtrip: true, fromFirst: true, toLast: true },
  { roundtrip: true, fromFirst: true, toLast: false },
  { roundtrip: true, fromFirst: false, toLast: true },
  { roundtrip: true, fromFirst: false, toLast: false },
  { roundtrip: false, fromFirst: true, toLast: true },
  { roundtrip: false, fromFirst: true, toLast: false },
  { roundtrip: false, fromFirst: false, toLast: true },
];

/** Places on a plane with one-ways: the way back costs up to twice as much. Some pairs have no route. */
function randomCosts(size: number, random: () => number, missing = 0): Float64Array {
  const places = Array.from({ length: size }, () => [random(), random()] as const);
  return Float64Array.from({ length: size * size }, (_, at) => {
    const [from, to] = [places[Math.floor(at / size)]!, places[at % size]!];
    if (from !== to && random() < missing) return Number.POSITIVE_INFINITY;
    return Math.round(1_000 * Math.hypot(from[0] - to[0], from[1] - to[1]) * (1 + random()));
  });
}

function* permutations(items: readonly number[]): Iterable<number[]> {
  if (items.length === 0) yield [];
  for (const item of items)
    for (const rest of permutations(items.filter((each) => each !== item))) yield [item, ...rest];
}

/** What a trip costs that visits the places in this order; Infinity if that breaks a rule. */
function costOf(size: number, costs: Float64Array, order: readonly number[], rules: VisitRules): number {
  if (rules.fromFirst && order[0] !== 0) return Number.POSITIVE_INFINITY;
  if (rules.toLast && (rules.fromFirst || !rules.roundtrip) && order.at(-1) !== size - 1)
    return Number.POSITIVE_INFINITY;
  const visited = rules.roundtrip ? [...order, order[0]!] : order;
  return visited.slice(1).reduce((sum, to, at) => sum + costs[visited[at]! * size + to]!, 0);
}

describe('the order of a trip', () => {
  test('is the best of all permutations, for every combination of rules', () => {
    const random = seeded(17);
    let impossible = 0;
    for (let round = 0; round < runs(25); round++) {
      const size = 2 + (round % 6);
      const costs = randomCosts(size, random, round % 3 === 0 ? 0.35 : 0);
      for (const rules of allRules) {
        const least = Math.min(
          ...[...permutations([...Array(size).keys()])].map((each) => costOf(size, costs, each, rules)),
        );
        const order = visitOrder(size, costs, rules);
        if (order === undefined) {
          impossible++;
          expect(least).toBe(Number.POSITIVE_INFINITY);
          continue;
        }
        expect([...order].sort((a, b) => a - b)).toEqual([...Array(size).keys()]);
        expect(costOf(size, costs, order, rules), JSON.stringify({ size, rules, order })).toBe(least);
      }
    }
    expect(impossible).toBeGreaterThan(3);
  });

  test('of more places, keeps the rules and is close to the best', () => {
    const random = seeded(18);
    let sum = 0;
    let bestSum = 0;
    for (let round = 0; round < 20; round++) {
      const size = exactPlacesMax;
      const costs = randomCosts(size, random);
      const tours = new TourCosts(size, costs);
      const rules = { roundtrip: true, fromFirst: false, toLast: false };
      bestSum += costOf(size, costs, visitOrder(size, costs, rules)!, rules);
      sum += tours.sum(improvedTour(tours, insertedTour(tours)));
    }
    expect(sum / bestSum).toBeGreaterThanOrEqual(1);
    expect(sum / bestSum).toBeLessThan(1.03);
    for (const rules of allRules) {
      const size = 40;
      const costs = randomCosts(size, random);
      const order = visitOrder(size, costs, rules)!;
      expect([...order].sort((a, b) => a - b)).toEqual([...Array(size).keys()]);
      const cost = costOf(size, costs, order, rules);
      const shuffled = [...Array(size).keys()];
      expect(cost).toBeLessThan(0.3 * costOf(size, costs, shuffled, rules));
    }
  });

  test('a hundred places take a fraction of a second, and a pair without a route is avoided', () => {
    const size = 100;
    const costs = randomCosts(size, seeded(19), 0.2);
    const rules = { roundtrip: true, fromFirst: true, toLast: false };
    const order = visitOrder(size, costs, rules)!;
    expect(costOf(size, costs, order, rules)).toBeLessThan(Number.POSITIVE_INFINITY);
    // No route at all leads to place 5.
    for (let from = 0; from < size; from++) if (from !== 5) costs[from * size + 5] = Number.POSITIVE_INFINITY;
    expect(visitOrder(size, costs, rules)).toBeUndefined();
  });
});
