import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTileset } from '#map-data/open-tileset.js';
import { readOsmPbf } from '#osm/read/read-osm-pbf.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import { edgeFlag } from '#routing-engine/network/edge-flags.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute, type RoutePath } from '#routing-engine/route/find-route.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { type Area, extractOf } from '../routing/areas.js';
import { randomEnds } from '../routing/random-ends.js';

/** A way that is removed from the map. */
export interface HiddenRoad {
  readonly way: number;
  /** Its directed edges on the true map. */
  readonly edges: readonly number[];
  readonly lengthM: number;
}

/** The map of an area as if some ways had never been surveyed. */
export async function networkWithout(area: Area, ways: ReadonlySet<number>): Promise<RoadNetwork> {
  const folder = await mkdtemp(join(tmpdir(), 'meridian-bench-'));
  const objects: ObjectStore = await DirectoryObjectStore.open(folder);
  try {
    await buildTileset(
      {
        kind: 'elements',
        read: async (sink) => {
          await readOsmPbf(extractOf(area), {
            ...sink,
            way: (id, refs, tags) => {
              if (!ways.has(id)) sink.way(id, refs, tags);
            },
          });
        },
      },
      objects,
    );
    return await openTileset(objects);
  } finally {
    await objects.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const lengthMinM = 100;
const lengthMaxM = 800;

/** Ways that a car may pass, drawn at random. */
export function chooseHidden(network: RoadNetwork, count: number, random: () => number): HiddenRoad[] {
  const { wayId, copyOf, zone } = network.arrays;
  const byWay = new Map<number, number[]>();
  for (let edge = 0; edge < network.edgeCount; edge++) {
    if (copyOf[edge] !== edge || network.freeFlowKph(edge, 'driving') === 0 || zone[edge] !== 0) continue;
    const there = byWay.get(wayId[edge]!);
    if (there === undefined) byWay.set(wayId[edge]!, [edge]);
    else there.push(edge);
  }
  const roads = [...byWay].map(([way, edges]): HiddenRoad => {
    const forth = edges.filter((edge) => (network.reverseOf(edge) ?? Number.POSITIVE_INFINITY) > edge);
    return { way, edges, lengthM: forth.reduce((sum, edge) => sum + network.edgeLengthM(edge), 0) };
  });
  const fit = roads.filter(({ lengthM }) => lengthM >= lengthMinM && lengthM <= lengthMaxM);
  const chosen: HiddenRoad[] = [];
  while (chosen.length < count && fit.length > 0)
    chosen.push(...fit.splice(Math.floor(random() * fit.length), 1));
  return chosen;
}

/** Drives that pass the complete road, equally often in both directions. */
export function passesOver(
  network: RoadNetwork,
  { edges }: HiddenRoad,
  count: number,
  random: () => number,
): RoutePath[] {
  const metric = freeFlowMetric(network, 'driving');
  const ends = randomEnds(network, 'driving', random);
  const chains = [chainOf(network, edges, true), chainOf(network, edges, false)].filter(
    ({ length }) => length > 0,
  );
  const passes: RoutePath[] = [];
  for (let tries = 0; passes.length < count && tries < 20 * count; tries++) {
    const chain = chains[tries % chains.length]!;
    const to = findRoute(network, metric, { from: [ends.open()], to: [{ edge: chain[0]!, fraction: 0.01 }] });
    const on = findRoute(network, metric, {
      from: [{ edge: chain.at(-1)!, fraction: 0.99 }],
      to: [ends.open()],
    });
    if (to.status !== 'ok' || on.status !== 'ok') continue;
    if (to.path.lengthM > 6_000 || on.path.lengthM > 6_000) continue;
    const driven = [
      ...to.path.edges,
      ...chain.slice(1, -1),
      ...(chain.length > 1 ? on.path.edges : on.path.edges.slice(1)),
    ];
    passes.push({ ...to.path, edges: Uint32Array.from(driven), toFraction: on.path.toFraction });
  }
  return passes;
}

/** The edges of one direction, one behind the other, from an end. */
function chainOf(network: RoadNetwork, edges: readonly number[], against: boolean): number[] {
  const { tail, head, flags } = network.arrays;
  const isAgainst = (edge: number): boolean => (flags[edge]! & edgeFlag.against) !== 0;
  const own = edges.filter((edge) => isAgainst(edge) === against);
  const heads = new Set(own.map((edge) => head[edge]));
  let at = own.find((edge) => !heads.has(tail[edge]!)) ?? own[0];
  const chain: number[] = [];
  while (at !== undefined && !chain.includes(at)) {
    chain.push(at);
    const node = head[at];
    at = own.find((edge) => tail[edge] === node);
  }
  return chain;
}
