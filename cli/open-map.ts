import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Config } from '#platform/config/settings.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import { defaultMapSource, type MapSource } from '#tile-builder/build-tileset.js';
import { mapOfTileset } from '#tile-builder/map-tiles/open-map-tiles.js';
import {
  CorruptTileset,
  currentTilesetId,
  openTileset,
  TilesetNotFound,
} from '#tile-builder/open-tileset.js';
import { build } from './build-map.js';
import { CommandFailed, exitCode } from './exit.js';

export interface OpenedMap {
  readonly network: RoadNetwork;
  /** For people: the city, or the name of the extract. */
  readonly name: string;
  readonly builtInS: number | undefined;
  /** What it was built of. */
  readonly source: MapFile;
}

/** Which file the current tileset was made from, so that the same extract is not built twice. */
interface MapNote {
  readonly file: string;
  readonly bytes: number;
  readonly changedMs: number;
  readonly tilesetId: string;
}

/** A map that lies in a file. */
export type MapFile = Extract<MapSource, { readonly file: string }>;

export function mapSource(osmFile: string | undefined): MapFile {
  if (osmFile === undefined) return defaultMapSource();
  return { kind: 'osm-pbf', file: resolve(osmFile) };
}

function mapName(source: MapFile): string {
  if (source.kind === 'osm-geojson') return 'Gothenburg';
  const base = source.file.split(/[/\\]/).at(-1)!;
  return base.replace(/\.osm\.pbf$|\.pbf$/, '');
}

/** Opens the tiles of the extract; builds them first when the current tileset was made from something else. */
export async function openMap(
  config: Config,
  objects: ObjectStore,
  osmFile: string | undefined,
): Promise<OpenedMap> {
  const source = mapSource(osmFile);
  const noteFile = join(config.MERIDIAN_DATA, 'map.json');
  const file = await stat(source.file).catch(() => {
    throw new CommandFailed(
      `${source.file} cannot be read; give the path of an .osm.pbf extract.`,
      exitCode.usage,
    );
  });
  const found = await readNote(noteFile);
  const name = mapName(source);
  if (found?.file === source.file && found.bytes === file.size && found.changedMs === file.mtimeMs) {
    const network = await reopen(objects, found.tilesetId);
    if (network !== undefined) return { network, name, builtInS: undefined, source };
  }
  const started = performance.now();
  const { tilesetId } = await build(source, objects);
  const network = await openTileset(objects, tilesetId);
  const note: MapNote = { file: source.file, bytes: file.size, changedMs: file.mtimeMs, tilesetId };
  await mkdir(config.MERIDIAN_DATA, { recursive: true });
  await writeFile(noteFile, JSON.stringify(note));
  return { network, name, builtInS: (performance.now() - started) / 1_000, source };
}

/** The tileset, when it is still the current one and whole; a damaged one is built again. */
async function reopen(objects: ObjectStore, tilesetId: string): Promise<RoadNetwork | undefined> {
  try {
    if ((await currentTilesetId(objects)) !== tilesetId) return undefined;
    // Built by a version that drew no map: then it is built again, once.
    if ((await mapOfTileset(objects, tilesetId)) === undefined) return undefined;
    return await openTileset(objects, tilesetId);
  } catch (error) {
    if (error instanceof TilesetNotFound || error instanceof CorruptTileset) return undefined;
    throw error;
  }
}

async function readNote(file: string): Promise<MapNote | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as MapNote;
  } catch {
    return undefined;
  }
}
