import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { buildTileset } from '#tile-builder/build-tileset.js';
import { stageGeocodingFrom } from '#tile-builder/geocoding/build-geocoding.js';
import type { GeocodeIndex } from '#tile-builder/geocoding/geocode-index.js';
import { openGeocodeIndex } from '#tile-builder/geocoding/geocode-store.js';
import { openTileset } from '#tile-builder/open-tileset.js';
import { dataFile } from '../routing/areas.js';

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
    const source = { kind: 'osm-pbf', file: dataFile(`${area}.osm.pbf`) } as const;
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
