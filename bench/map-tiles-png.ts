import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { tileAt } from '#map-tiles/format/web-mercator.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { appendResult, spread } from './append-result.js';
import type { DrawnTile, DrawReply } from './map-tiles/draw-worker.js';
import { installMapnik, mapnik } from './map-tiles/tile-peers.js';
import { measuredCommand } from './peers/measured-command.js';
import { chosenArea, extractOf } from './routing/areas.js';

/**
 * PNG tiles per CPU-second, beside Mapnik drawing the same vector tiles in the same colours, widths and font,
 * in turns. Both write palette PNG of 256×256 pixels.
 */
const area = chosenArea('malta');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const tilesPerZoom = Number(process.env['TILES'] ?? 40);
const zooms = [11, 12, 13, 14, 15, 16];

installMapnik();
const folder = mkdtempSync(join(tmpdir(), 'meridian-png-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const builder = fileURLToPath(new URL('./map-tiles/build-once.js', import.meta.url));
await measuredCommand(process.execPath, [builder, extractOf(area), folder, '16']);
const [mapId] = readdirSync(join(folder, 'map-tiles')).filter((name) => name !== 'blocks');
const map = (await MapTiles.open(await DirectoryObjectStore.open(folder), mapId!))!;

/** The fullest tiles of each zoom would not be representative; every n-th tile with streets is rendered. */
const tiles: DrawnTile[] = [];
for (const z of zooms) {
  const [west, south, east, north] = map.manifest.bounds;
  const [first, last] = [tileAt(north, west, z), tileAt(south, east, z)];
  const found: DrawnTile[] = [];
  for (let x = first.x; x <= last.x; x++)
    for (let y = first.y; y <= last.y; y++) {
      const bytes = await map.vectorTile({ z, x, y });
      if (bytes !== undefined && bytes.length > 1_000) found.push({ z, x, y, bytes });
    }
  const step = Math.max(1, Math.floor(found.length / tilesPerZoom));
  tiles.push(...found.filter((_, index) => index % step === 0).slice(0, tilesPerZoom));
}

const worker = fileURLToPath(new URL('./map-tiles/draw-worker.js', import.meta.url));
const start = (args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess =>
  fork(worker, args, { serialization: 'advanced', env });
const workers = {
  meridian: start(['ours'], process.env),
  mapnik: start(['mapnik', mapnik.from], mapnik.env),
};
process.on('exit', () => {
  for (const child of Object.values(workers)) child.kill();
});

async function draw(child: ChildProcess, some: readonly DrawnTile[]): Promise<DrawReply> {
  child.send([...some]);
  const [reply] = (await once(child, 'message')) as [DrawReply];
  return reply;
}

const names = ['meridian', 'mapnik'] as const;
const perCpuS: Record<(typeof names)[number], number[]> = { meridian: [], mapnik: [] };
const bytesPerTile = { meridian: 0, mapnik: 0 };
for (const name of names) await draw(workers[name], tiles.slice(0, 60));
for (let round = 0; round < rounds; round++)
  for (const name of names) {
    const { cpuS, bytes } = await draw(workers[name], tiles);
    perCpuS[name].push(tiles.length / cpuS);
    bytesPerTile[name] = Math.round(bytes / tiles.length);
  }
const pictures = process.env['PICTURES'];
if (pictures !== undefined) {
  mkdirSync(pictures, { recursive: true });
  for (const z of zooms)
    for (const name of names) {
      const some = tiles.filter((tile) => tile.z === z);
      const { first } = await draw(workers[name], some.slice(some.length >> 1, (some.length >> 1) + 1));
      writeFileSync(join(pictures, `${z}-${name}.png`), first);
    }
}
for (const child of Object.values(workers)) child.kill();
const ratio = spread(perCpuS.meridian.map((value, round) => value / perCpuS.mapnik[round]!));
const figures = Object.fromEntries(
  names.map((name) => [name, { perCpuS: spread(perCpuS[name]), bytesPerTile: bytesPerTile[name] }]),
);
appendResult('map-tiles-png', { area, tiles: tiles.length, rounds, ratio, engines: figures });
console.log(
  `${tiles.length} tiles of ${area}: ${ratio.median} of Mapnik's (${ratio.least}–${ratio.greatest})`,
);
for (const [name, { perCpuS: rate, bytesPerTile: bytes }] of Object.entries(figures))
  console.log(
    `  ${name.padEnd(10)} ${rate.median} tiles per CPU-second (${rate.least}–${rate.greatest}), ` +
      `${bytes} bytes each`,
  );
