import type { Stats } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  defaultMapName,
  defaultMapSource,
  earlierDefaultMapName,
  isEarlierDefaultMap,
} from '#map-data/default-map.js';
import { openTileset } from '#map-data/open-tileset.js';
import { readProgress } from '#map-data/release/builder-progress.js';
import { currentRelease, type Release } from '#map-data/release/release.js';
import { isOfPresentBuilder } from '#map-data/tiles/present-builder.js';
import type { MapSource } from '#osm/read/read-map-source.js';
import { makeFolder } from '#platform/config/folders.js';
import type { Config } from '#platform/config/settings.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CommandFailed, exitCode } from '../exit.js';
import { openPlacesAndMap } from './open-served-release.js';

export interface OpenedMap {
  readonly release: Release;
  readonly network: RoadNetwork;
  /** For people: the city, or the name of the extract. */
  readonly name: string;
  readonly builtInS: number | undefined;
}

/** Which file a release was made from, so that the same extract is not built twice and people see a name. */
interface MapNote {
  readonly file: string;
  readonly bytes: number;
  readonly changedMs: number;
  readonly releaseId: string;
}

/** A map that lies in a file. */
export type MapFile = Extract<MapSource, { readonly file: string }>;

export const mapSource = (osmFile: string | undefined): MapFile =>
  osmFile === undefined ? defaultMapSource() : { kind: 'osm-pbf', file: resolve(osmFile) };

function nameOf(file: string): string {
  if (file === defaultMapSource().file) return defaultMapName;
  if (isEarlierDefaultMap(file)) return earlierDefaultMapName;
  return file
    .split(/[/\\]/)
    .at(-1)!
    .replace(/\.osm\.pbf$|\.pbf$/, '');
}

/** What people call the map of a release; `map` where it was built elsewhere. */
export async function mapName(config: Config, { releaseId }: Release): Promise<string> {
  const note = await readNote(config);
  return note?.releaseId === releaseId ? nameOf(note.file) : 'map';
}

/** Throws a sentence where no file is. */
export async function statOf({ file }: MapFile): Promise<Stats> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined && !found.isDirectory()) return found;
  const what = found === undefined ? 'does not exist' : 'is a folder';
  throw new CommandFailed(`${file} ${what}; give the path of an .osm.pbf extract.`, exitCode.usage);
}

/** Remembers what a release was made from. */
export async function noteSource(config: Config, { file }: MapFile, releaseId: string): Promise<void> {
  const { size, mtimeMs } = await stat(file);
  const note: MapNote = { file, bytes: size, changedMs: mtimeMs, releaseId };
  makeFolder(config.MERIDIAN_DATA);
  await writeFile(noteFile(config), JSON.stringify(note));
}

const ofEarlierDefault =
  `The data folder has the map of ${earlierDefaultMapName}, the default map of earlier versions. ` +
  `For ${defaultMapName}, set MERIDIAN_DATA to a new folder.`;

/**
 * The release that serves, if it was built from the extract, or from any extract if none is requested.
 * Otherwise the extract is built first, or the default map without one. A release that is damaged, or that an
 * earlier version built by other rules, is built again from its source file.
 * A map of the earlier default map stays: the hotels, closures and tracks of its data folder belong to it.
 */
export async function openMap(
  config: Config,
  objects: ObjectStore,
  osmFile: string | undefined,
): Promise<OpenedMap> {
  const note = await readNote(config);
  const source = mapSource(osmFile);
  const asked = await statOf(source);
  const isOfExtract =
    note?.file === source.file && note.bytes === asked.size && note.changedMs === asked.mtimeMs;
  const opened = await open(objects);
  if (
    opened.kind === 'whole' &&
    (osmFile === undefined || (isOfExtract && note.releaseId === opened.release.releaseId))
  ) {
    const { release, network } = opened;
    const outdated = await outdatedMap(objects, release, note);
    if (outdated !== undefined) console.error(outdated.message);
    if (note?.releaseId === release.releaseId && isEarlierDefaultMap(note.file))
      console.error(ofEarlierDefault);
    if (outdated?.source !== undefined) return buildAndOpen(config, objects, outdated.source, true);
    return { release, network, name: await mapName(config, release), builtInS: undefined };
  }
  if (opened.kind === 'damaged' && osmFile === undefined) {
    const reason = `The map cannot be opened: ${opened.reason}`;
    if (note === undefined) throw new CommandFailed(reason);
    if (isEarlierDefaultMap(note.file)) throw new CommandFailed(`${reason}. ${ofEarlierDefault}`);
  }
  const damaged = opened.kind === 'damaged' && osmFile === undefined ? note?.file : undefined;
  return buildAndOpen(config, objects, mapSource(damaged ?? osmFile), opened.kind !== 'damaged');
}

/**
 * What people are to know of a release that an earlier version built, and what it can be built again from.
 */
async function outdatedMap(
  objects: ObjectStore,
  { releaseId, tilesetId }: Release,
  note: MapNote | undefined,
): Promise<{ readonly message: string; readonly source?: MapFile } | undefined> {
  if (await isOfPresentBuilder(objects, tilesetId)) return undefined;
  const earlier = 'The map was built by an earlier version of Meridian, without lanes and with other rules';
  const file = note?.releaseId === releaseId ? await stat(note.file).catch(() => undefined) : undefined;
  const isUnchanged = file?.size === note?.bytes && file?.mtimeMs === note?.changedMs;
  // What change files added would be lost.
  const isFollowed = (await readProgress(objects)) !== undefined;
  if (note !== undefined && isEarlierDefaultMap(note.file)) return { message: `${earlier}. It stays.` };
  if (note === undefined || file === undefined || !isUnchanged || isFollowed)
    return {
      message: `${earlier}. Rebuild it with \`meridian tiles build\` or \`meridian tiles follow\`.`,
    };
  return { message: `${earlier}: it is rebuilt from ${note.file}.`, source: mapSource(note.file) };
}

async function buildAndOpen(
  config: Config,
  objects: ObjectStore,
  source: MapFile,
  reuse: boolean,
): Promise<OpenedMap> {
  const started = performance.now();
  // A server with a built map never loads the builder.
  const { build } = await import('./build-map.js');
  const { releaseId } = await build(source, objects, { reuse });
  await noteSource(config, source, releaseId);
  const release = await currentRelease(objects);
  const network = await openTileset(objects, release!.tilesetId);
  const builtInS = (performance.now() - started) / 1_000;
  return { release: release!, network, name: nameOf(source.file), builtInS };
}

type Opened =
  | { readonly kind: 'whole'; readonly release: Release; readonly network: RoadNetwork }
  | { readonly kind: 'damaged'; readonly reason: string }
  | { readonly kind: 'none' };

const damages = new Set([
  'CorruptRelease',
  'CorruptTileset',
  'TilesetNotFound',
  'CorruptMapTiles',
  'InvalidGeocodeIndex',
]);

async function open(objects: ObjectStore): Promise<Opened> {
  try {
    const release = await currentRelease(objects);
    if (release === undefined) return { kind: 'none' };
    const network = await openTileset(objects, release.tilesetId);
    await openPlacesAndMap(objects, release, network);
    return { kind: 'whole', release, network };
  } catch (error) {
    if (!(error instanceof Error) || !damages.has(error.name)) throw error;
    return { kind: 'damaged', reason: error.message };
  }
}

const noteFile = (config: Config): string => join(config.MERIDIAN_DATA, 'map.json');

async function readNote(config: Config): Promise<MapNote | undefined> {
  try {
    return JSON.parse(await readFile(noteFile(config), 'utf8')) as MapNote;
  } catch {
    return undefined;
  }
}
