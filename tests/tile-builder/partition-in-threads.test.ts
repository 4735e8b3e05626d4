import { describe, expect, it } from 'vitest';
import { seeded } from '#bench/routing/seeded.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { crossingsForThreads } from '#tile-builder/graph/build-road-graph.js';
import { adjacency } from '#tile-builder/partition/adjacency.js';
import { type FlatRoads, inertialFlow } from '#tile-builder/partition/inertial-flow.js';
import { partition } from '#tile-builder/partition/partition.js';
import { partitionInThreads } from '#tile-builder/partition/partition-in-threads.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { gothenburg, storeOf } from './real-maps.js';

const sizes = [16, 64, 400];

/** Streets of a town with gaps, and crossings that lie on the same place along a direction. */
function town(side: number): FlatRoads {
  const random = seeded(4);
  const from: number[] = [];
  const to: number[] = [];
  const connect = (one: number, other: number) => {
    from.push(one);
    to.push(other);
  };
  for (let node = 0; node < side * side; node++) {
    if (node % side < side - 1 && random() < 0.9) connect(node, node + 1);
    if (node + side < side * side && random() < 0.9) connect(node, node + side);
  }
  const x = new Float64Array(new SharedArrayBuffer(8 * side * side));
  const y = new Float64Array(new SharedArrayBuffer(8 * side * side));
  for (let node = 0; node < x.length; node++) {
    x[node] = node % side;
    y[node] = Math.floor(node / side);
  }
  return { x, y, ...adjacency(x.length, Uint32Array.from(from), Uint32Array.from(to)) };
}

it.each([1, 2, 3])('a build makes the same objects with %i workers', async (workers) => {
  const [one, several] = [await storeOf(gothenburg), new MemoryObjectStore()];
  const { nodeCount } = await buildTileset(gothenburg, several, { workers });
  expect(nodeCount).toBeGreaterThan(crossingsForThreads);
  const contents = ({ objects }: MemoryObjectStore) => [...objects].sort(([a], [b]) => (a < b ? -1 : 1));
  expect(contents(several).map(([key]) => key)).toEqual(contents(one).map(([key]) => key));
  expect(contents(several).every(([key, bytes]) => Buffer.from(bytes).equals(one.objects.get(key)!))).toBe(
    true,
  );
});

describe('a partition in threads', () => {
  it.each([1, 2, 3])('is that of one thread, with %i of them', async (threads) => {
    const roads = town(50);
    const expected = partition(roads.x.length, sizes, inertialFlow(roads));
    let placed = 0;
    const made = await partitionInThreads(roads, sizes, threads, (nodes) => (placed = nodes), 100);
    expect([...made.order]).toEqual([...expected.order]);
    expect(made.levels).toEqual(expected.levels);
    expect(made.levels.map((level) => level.length - 1)).toHaveLength(4);
    expect(placed).toBe(roads.x.length);
  });

  it('ends with the error of a thread', async () => {
    const roads = { ...town(10), first: new Uint32Array(0), neighbour: undefined as never };
    await expect(partitionInThreads(roads, sizes, 2)).rejects.toThrow(TypeError);
  });

  it('of no roads is empty', async () => {
    const made = await partitionInThreads(town(0), sizes, 2);
    expect(made).toEqual(partition(0, sizes, inertialFlow(town(0))));
  });
});
