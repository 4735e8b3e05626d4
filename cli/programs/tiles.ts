import { TilesetNotFound } from '#map-data/tiles/tile-source.js';
import type { BuiltMapTiles } from '#map-tiles/build/build-map-tiles.js';
import type { ReleaseOptions } from '#tile-builder/build-release.js';
import { inspectTileset, type TilesetSummary, verifyTileset } from '#tile-builder/inspect-tileset.js';
import { openObjects } from '../adapters.js';
import { CommandFailed, exitCode } from '../exit.js';
import { build as buildWithProgress } from '../open/build-map.js';
import { openLogShare } from '../open/open-log-share.js';
import { mapSource, noteSource, statOf } from '../open/open-map.js';
import { readSettings } from '../read-settings.js';

export async function buildTiles(
  extract: string | undefined,
  json: boolean,
  options: Pick<ReleaseOptions, 'map' | 'places' | 'reuse' | 'workers'> & { readonly overLog?: boolean } = {},
): Promise<void> {
  const source = mapSource(extract);
  await statOf(source);
  const config = readSettings();
  const objects = await openObjects(config);
  const started = performance.now();
  const { overLog = false, map, ...others } = options;
  const shared = overLog && map !== false ? await openLogShare(config, objects) : undefined;
  const drawn = shared === undefined ? map : { ...(map === false ? {} : map), share: shared.share };
  const build = () =>
    buildWithProgress(source, objects, { ...others, ...(drawn === undefined ? {} : { map: drawn }) });
  const built = await (shared === undefined ? build() : closedAfter(shared, build));
  const seconds = (performance.now() - started) / 1_000;
  await noteSource(config, source, built.releaseId);
  if (json) console.log(JSON.stringify({ ...built, seconds }));
  else {
    const { tilesetId, edgeCount, cellCount, bytes } = built;
    const size = Math.round(bytes / 1_024).toLocaleString('en');
    console.log(
      `tileset ${tilesetId}: ${edgeCount.toLocaleString('en')} edges in ${cellCount} cells, ` +
        `${size} KiB, built in ${seconds.toFixed(1)} s`,
    );
    if (built.map !== undefined) console.log(describeMap(built.map));
    if (built.geocoding !== undefined)
      console.log(`geocoding ${built.geocoding.id}: ${kib(built.geocoding.bytes)}`);
    console.log(`release ${built.releaseId} is now served`);
  }
  await objects.close();
}

async function closedAfter<Result>(
  what: { close(): Promise<void> },
  use: () => Promise<Result>,
): Promise<Result> {
  try {
    return await use();
  } finally {
    await what.close();
  }
}

const describeMap = ({ mapId, vectorTiles, pngTiles, bytes, brokenRings }: BuiltMapTiles): string =>
  `map ${mapId}: ${count(vectorTiles)} vector tiles, ` +
  `${count(pngTiles)} pre-rendered PNG tiles, ${kib(bytes)}` +
  (brokenRings === 0 ? '' : `; ${count(brokenRings)} rings of areas or coasts do not close and are ignored`);

interface InspectOptions {
  /** Fetch every tile and check every byte of it. */
  readonly verify: boolean;
  readonly json: boolean;
}

export async function inspectTiles(
  tilesetId: string | undefined,
  { verify, json }: InspectOptions,
): Promise<void> {
  const objects = await openObjects(readSettings());
  const summary = await inspectTileset(objects, tilesetId).catch((error: unknown) => {
    throw error instanceof TilesetNotFound ? new CommandFailed(error.message, exitCode.notFound) : error;
  });
  if (verify) await verifyTileset(objects, summary.tilesetId);
  if (json) console.log(JSON.stringify({ ...summary, verified: verify }, undefined, 2));
  else for (const line of describe(summary, verify)) console.log(line);
  await objects.close();
}

function* describe(summary: TilesetSummary, verified: boolean): Iterable<string> {
  const { tilesetId, formatVersion, nodes, edges, levels, edgesPerCell, bounds, drivingSide } = summary;
  yield `tileset ${tilesetId}, format ${formatVersion}: ${count(nodes)} crossings, ` +
    `${count(edges)} edges, ${kib(summary.bytes)}`;
  yield `bounds ${bounds.map((degrees) => degrees.toFixed(5)).join(', ')}; ` +
    `traffic drives on the ${drivingSide}`;
  yield `cells by level: ${levels.map(count).join(', ')}; ` +
    `${count(edgesPerCell.least)} to ${count(edgesPerCell.most)} edges per cell`;
  for (const [kind, { tiles, bytes, largest }] of Object.entries(summary.kinds))
    yield `${kind.padEnd(8)} ${count(tiles).padStart(6)} tiles ${kib(bytes).padStart(12)}${
      largest === undefined ? '' : `, largest ${kib(largest.bytes)}: ${largest.key}`
    }`;
  yield verified
    ? 'every tile exists, is complete and matches the manifest'
    : 'tiles were not read; --verify checks them';
}

const count = (number: number): string => number.toLocaleString('en');
const kib = (bytes: number): string =>
  `${(bytes / 1_024).toLocaleString('en', { maximumFractionDigits: 1 })} KiB`;
