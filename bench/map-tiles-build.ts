import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { appendResult, spread } from './append-result.js';
import { tilemakerConfig } from './map-tiles/peer-config.js';
import { installTilemaker, tilemaker } from './map-tiles/tile-peers.js';
import { measuredCommand, type Usage } from './peers/measured-command.js';
import { chosenAreas, extractOf } from './routing/areas.js';

/**
 * CPU seconds from an extract to vector tiles of zoom 0 to 14, beside Debian's tilemaker with the same
 * layers, in turns. Every tile of ours is read again afterwards, else the figures are void.
 */
const areas = chosenAreas(process.env['AREAS'], ['monaco', 'heidelberg', 'malta']);
const rounds = Number(process.env['ROUNDS'] ?? 5);
const zoomMax = 14;

installTilemaker();
const folder = mkdtempSync(join(tmpdir(), 'meridian-map-tiles-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const lua = fileURLToPath(new URL('../../bench/map-tiles/process.lua', import.meta.url));
const config = join(folder, 'config.json');
writeFileSync(config, JSON.stringify(tilemakerConfig));
const builder = fileURLToPath(new URL('./map-tiles/build-once.js', import.meta.url));

for (const area of areas) {
  const extract = extractOf(area);
  const used: Record<'meridian' | 'tilemaker', Usage[]> = { meridian: [], tilemaker: [] };
  const bytes = { meridian: 0, tilemaker: 0 };
  const ours = join(folder, `ours-${area}`);
  const box = await boxOf(extract);
  for (let round = 0; round < rounds; round++) {
    rmSync(ours, { recursive: true, force: true });
    used.meridian.push(await measuredCommand(process.execPath, [builder, extract, ours, String(zoomMax)]));
    const theirs = join(folder, `${area}.mbtiles`);
    rmSync(theirs, { force: true });
    const args = [
      '--input',
      extract,
      '--output',
      theirs,
      '--config',
      config,
      '--process',
      lua,
      '--bbox',
      box,
    ];
    used.tilemaker.push(await measuredCommand(tilemaker.command, args, tilemaker.env));
    bytes.tilemaker = statSync(theirs).size;
  }
  const tiles = await checkEveryTile(ours);
  bytes.meridian = sizeOf(join(ours, 'map-tiles', 'blocks'));
  const figures = (['meridian', 'tilemaker'] as const).map((name) => ({
    name,
    cpuS: spread(used[name].map(({ cpuS }) => cpuS)),
    peakMib: spread(used[name].map(({ peakMib }) => peakMib)),
    bytes: bytes[name],
  }));
  const ratio = spread(used.meridian.map(({ cpuS }, round) => cpuS / used.tilemaker[round]!.cpuS));
  appendResult('map-tiles-build', { area, zoomMax, rounds, tiles, ratio, engines: figures });
  console.log(
    `${area}: ${tiles} tiles, ${ratio.median} of tilemaker's CPU (${ratio.least}–${ratio.greatest})`,
  );
  for (const { name, cpuS, peakMib, bytes: size } of figures)
    console.log(
      `  ${name.padEnd(10)} ${cpuS.median} s CPU (${cpuS.least}–${cpuS.greatest}), ` +
        `peak ${Math.round(peakMib.median)} MiB, ${(size / 1e6).toFixed(2)} MB`,
    );
}

function sizeOf(path: string): number {
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}

/** tilemaker wants a box where the extract's header has none; so it gets that of ours. */
async function boxOf(extract: string): Promise<string> {
  const store = join(folder, 'box');
  await measuredCommand(process.execPath, [builder, extract, store, '0']);
  const { bounds } = (await openOnly(store)).manifest;
  rmSync(store, { recursive: true });
  return bounds.map((degrees) => degrees.toFixed(5)).join(',');
}

async function openOnly(store: string): Promise<MapTiles> {
  const [mapId] = readdirSync(join(store, 'map-tiles')).filter((name) => name !== 'blocks');
  const map = await MapTiles.open(await DirectoryObjectStore.open(store), mapId!);
  if (map === undefined) throw new Error('void: there is no map');
  return map;
}

async function checkEveryTile(store: string): Promise<number> {
  const map = await openOnly(store);
  const [west, south, east, north] = map.manifest.bounds;
  let tiles = 0;
  let buildings = 0;
  for (let z = 0; z <= zoomMax; z++) {
    const [first, last] = [tileAt(north, west, z), tileAt(south, east, z)];
    for (let x = first.x; x <= last.x; x++)
      for (let y = first.y; y <= last.y; y++) {
        const bytes = await map.vectorTile({ z, x, y });
        if (bytes === undefined) continue;
        tiles++;
        const { layers } = new VectorTile(new PbfReader(bytes));
        for (const layer of Object.values(layers))
          for (let i = 0; i < layer.length; i++) layer.feature(i).loadGeometry();
        if (z === zoomMax) buildings += layers['buildings']?.length ?? 0;
      }
  }
  if (tiles === 0 || buildings === 0) throw new Error('void: tiles without a map');
  return tiles;
}
