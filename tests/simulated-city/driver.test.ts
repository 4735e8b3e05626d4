import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '#platform/random/random.js';
import { Driver } from '#simulated-city/driver.js';
import { World } from '#simulated-city/world.js';
import { gridRoads } from './grid-roads.js';

const size = 8;
const roads = gridRoads(size);
const streets = Array.from({ length: roads.edgeCount }, (_, edge) => edge).filter(
  (edge) => roads.freeFlowKph(edge) > 0,
);
const street = fc.constantFrom(...streets);
const quiet = { closureEveryMs: 0, closureLastsMs: 3_600_000, traffic: 'free' } as const;
const nobody = () => [];

function drive(from: number, to: number, closed: readonly number[], seed: number) {
  const world = new World(roads, seededRandom(seed), quiet, 0);
  for (const edge of closed) if (edge !== from) world.close(edge, 0);
  const driver = new Driver('d', roads, seededRandom(seed));
  driver.depart(roads.findPath(from, 0, to, new Set())!, 0);
  const visited = [from];
  let state = '';
  for (let second = 0; second < 3_600 && state !== 'arrived' && state !== 'stuck'; second++) {
    world.advance(second * 1_000, nobody);
    state = driver.advance(1, world);
    if (driver.edge !== visited.at(-1)) visited.push(driver.edge!);
  }
  return { state, visited, world, driver };
}

describe('a simulated driver', () => {
  it('arrives at the destination, over streets that meet', () => {
    fc.assert(
      fc.property(street, street, fc.nat(), (from, to, seed) => {
        const { state, driver } = drive(from, to, [], seed);
        expect(state).toBe('arrived');
        expect(driver.edge).toBe(to);
      }),
      { numRuns: 50 },
    );
  });

  it('never enters a closed road, and finds a route around it if there is one', () => {
    fc.assert(
      fc.property(
        street,
        street,
        fc.array(street, { maxLength: 6 }),
        fc.nat(),
        (from, to, closures, seed) => {
          const { state, visited, world } = drive(from, to, closures, seed);
          expect(visited.slice(1).filter((edge) => world.closed.has(edge))).toEqual([]);
          expect(['arrived', 'stuck']).toContain(state);
          if (state === 'stuck') {
            // Only if no route was left from anywhere near: the destination itself is closed off.
            const reachable = roads.findPath(visited.at(-1)!, 0, to, world.closed);
            expect(reachable).toBeUndefined();
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  it('turns back at a closed road once on a trip, and not where they cannot go round it', () => {
    // All streets around the destination are closed, so the driver stays where they find that out.
    const to = streets[100]!;
    const into = streets.filter(
      (edge) => edge !== to && roads.findPath(edge, 0, to, new Set())?.length === 2,
    );
    const { state, world, driver } = drive(streets[0]!, to, [to, ...into], 7);
    expect(state).toBe('stuck');
    const came = (): number => world.closures.reduce((sum, { turnedBack }) => sum + turnedBack, 0);
    const before = came();
    expect(before).toBeGreaterThan(0);
    // The last one: from there no way leads on.
    const last = world.closures.find(({ edges }) => edges.includes(driver.barrier))!;
    expect(last.turnedBack).toBe(0);
    for (let i = 0; i < 10; i++) driver.advance(1, world);
    expect(came()).toBe(before);
    // Nor do they come again by deciding on another trip where they stand.
    const other = roads.findPath(driver.edge!, 1, driver.barrier, new Set())!;
    driver.depart(other, 1);
    for (let i = 0; i < 10; i++) driver.advance(1, world);
    expect(came()).toBe(before);
  });

  it('drives the same route again with the same seed', () => {
    const [a, b] = [drive(streets[0]!, streets[100]!, [], 7), drive(streets[0]!, streets[100]!, [], 7)];
    expect(a.visited).toEqual(b.visited);
    expect(a.driver.report(5, a.world)).toEqual(b.driver.report(5, b.world));
  });

  it('follows a route of the platform from the current position', () => {
    const world = new World(roads, seededRandom(1), quiet, 0);
    const driver = new Driver('d', roads, seededRandom(1));
    const way = roads.findPath(streets[0]!, 0, streets[60]!, new Set())!;
    driver.depart(way, 0);
    driver.advance(15, world);
    const here = driver.edge!;
    const other = roads.findPath(here, 0, streets[90]!, new Set())!;
    expect(driver.follow(other)).toBe(true);
    expect([driver.edge, driver.destination]).toEqual([here, streets[90]]);
  });

  it('joins a route at the crossing ahead, though it begins on another street to that crossing', () => {
    const world = new World(roads, seededRandom(1), quiet, 0);
    const driver = new Driver('d', roads, seededRandom(1));
    // Eastwards and southwards into the crossing in column 3, row 3; then east.
    const [here, beside] = [4 * (3 * size + 2), 4 * (2 * size + 3) + 1];
    const onward = roads.findPath(4 * (3 * size + 3), 0, 4 * (3 * size + 6), new Set())!;
    driver.depart([here, here + 4], 0);
    expect(driver.follow([beside, ...onward])).toBe(true);
    const visited = [here];
    for (let second = 0; driver.advance(1, world) !== 'arrived' && second < 100; second++)
      if (driver.edge !== visited.at(-1)) visited.push(driver.edge!);
    expect(visited).toEqual([here, ...onward]);
  });
});

describe('the world', () => {
  it('closes a busy road in both directions, and opens it again', () => {
    const world = new World(
      roads,
      seededRandom(3),
      { closureEveryMs: 1_000, closureLastsMs: 5_000, traffic: 'free' } as const,
      0,
    );
    world.advance(600, () => [streets[5]!]);
    expect([...world.closed].sort((a, b) => a - b)).toEqual(
      [streets[5]!, roads.reverseOf(streets[5]!)!].sort((a, b) => a - b),
    );
    world.advance(5_700, nobody);
    expect(world.closed.size).toBe(0);
  });
});
