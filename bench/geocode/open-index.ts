import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GeocodeIndex } from '#geocoding/index/geocode-index.js';
import { openGeocodeIndex } from '#geocoding/index/geocode-store.js';
import { stageGeocodingFrom } from '#geocoding/index-builder/build-geocoding.js';
import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { extractOf } from '../routing/areas.js';

/** Extracts with addresses; Gothenburg's has streets alone. */
export const geocodeAreas = [
  'goteborg',
  'helsinki',
  'malta',
  'heidelberg',
  'liechtenstein',
  'baltimore',
] as const;

export interface OpenedIndex {
  readonly network: RoadNetwork;
  readonly index: GeocodeIndex;
  readonly bytes: number;
  /** CPU seconds from the extract to the index, without the roads. */
  readonly buildCpuS: number;
}

/** Builds roads and index of an extract with today's code and opens them. */
export async function openIndex(area: string): Promise<OpenedIndex> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  try {
    const objects = await DirectoryObjectStore.open(folder);
    const source = { kind: 'osm-pbf', file: extractOf(area) } as const;
    await buildTileset(source, objects);
    const network = await openTileset(objects);
    const before = process.cpuUsage();
    const { id, bytes } = await stageGeocodingFrom(source, network.tilesetId, objects);
    const { user, system } = process.cpuUsage(before);
    const index = await openGeocodeIndex(objects, id);
    await objects.close();
    return { network, index, bytes, buildCpuS: (user + system) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
