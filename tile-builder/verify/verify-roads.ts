import { manifestKey, type TilesetManifest } from '#map-data/tiles/manifest.js';
import { readFrame, readManifest } from '#map-data/tiles/tile-source.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { modeIndex, type TravelMode, travelModes } from '#routing-engine/network/travel-mode.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { findRoute, type RouteEnd } from '#routing-engine/route/find-route.js';
import type { CellId } from '#schemas/units.js';
import { OpenedRoads } from './opened-roads.js';
import { tryCells } from './try-cells.js';

/**
 * Opens every cell that the previous tileset does not have, and requests routes: for each mode one inside a
 * new cell, and one from there to the other end of the numbering. Throws an Error that names the failed
 * query.
 */
export async function verifyRoads(
  objects: ObjectStore,
  tilesetId: string,
  before: string | undefined,
): Promise<void> {
  const manifest = await readManifest(objects, tilesetId);
  const frame = await readFrame(objects, manifest);
  const fresh = await newCells(objects, manifest, before);
  await tryCells(objects, frame, fresh);
  const roads = new OpenedRoads(objects, frame);
  const cells = roads.network.cellCount;
  const here = fresh[fresh.length >>> 1] ?? cells >>> 1;
  const there = (here + (cells >>> 1)) % cells;
  await roads.load([here, there]);
  for (const mode of travelModes) {
    const near = endsIn(roads.network, mode, here as CellId);
    const far = endsIn(roads.network, mode, there as CellId);
    const from = near[0];
    for (const to of [near.at(-1), far.at(-1)])
      if (from !== undefined && to !== undefined)
        await roads.ask((network) => drive(network, mode, from, to));
  }
}

/** Cells with a tile that the previous tileset does not have: the others were tested when they were new. */
async function newCells(
  objects: ObjectStore,
  { roads }: TilesetManifest,
  before: string | undefined,
): Promise<number[]> {
  // A missing or damaged manifest must not block the new one.
  const old = before === undefined ? undefined : await readManifest(objects, before).catch(() => undefined);
  const known = new Set(old?.roads.sha256);
  return [...roads.sha256.keys()].filter((cell) => !known.has(roads.sha256[cell]));
}

/** Roads of a cell from which every other such road is reached, in one direction or the other. */
function endsIn({ arrays, edgeCount }: RoadNetwork, mode: TravelMode, cell: CellId): number[] {
  const { cellFirstEdge, speedKph, part, zone, copyOf } = arrays;
  const row = modeIndex(mode) * edgeCount;
  const ends: number[] = [];
  for (let edge = cellFirstEdge[cell]; edge < cellFirstEdge[cell + 1]; edge++)
    if (speedKph[row + edge] > 0 && part[row + edge] === 0 && zone[row + edge] === 0 && copyOf[edge] === edge)
      ends.push(edge);
  return ends;
}

function drive(network: RoadNetwork, mode: TravelMode, from: number, to: number): void {
  const found = findRoute(network, freeFlowMetric(network, mode), {
    from: eitherWay(network, mode, from, 0.25),
    to: eitherWay(network, mode, to, 0.75),
  });
  const key = manifestKey(network.tilesetId);
  if (found.status !== 'ok')
    throw new Error(`${key}: no ${mode} route from ${network.edgeId(from)} to ${network.edgeId(to)}`);
  for (const edge of found.path.edges)
    if (network.edgeByStableId(network.edgeId(edge)) !== network.arrays.copyOf[edge])
      throw new Error(`${key}: road ${network.edgeId(edge)} is not found by its id`);
}

function eitherWay(network: RoadNetwork, mode: TravelMode, edge: number, fraction: number): RouteEnd[] {
  const back = network.reverseOf(edge);
  const isTwoWay = back !== undefined && network.freeFlowKph(back, mode) > 0;
  return isTwoWay
    ? [
        { edge, fraction },
        { edge: back, fraction: 1 - fraction },
      ]
    : [{ edge, fraction }];
}
