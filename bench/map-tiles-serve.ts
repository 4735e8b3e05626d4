import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MapTiles } from '#map-tiles/format/open-map-tiles.js';
import { type TileId, tileAt } from '#map-tiles/format/web-mercator.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { appendResult, spread } from './append-result.js';
import { closedLoop } from './ingest/closed-loop.js';
import { measuredCommand } from './peers/measured-command.js';
import { processCpuSeconds } from './process-cpu.js';
import { chosenArea, extractOf } from './routing/areas.js';

/**
 * Prepared vector tiles per CPU-second of the server, beside a plain uWebSockets.js server that sends a
 * constant buffer of the same size, in turns. Ours finds route, map, block and tile, and writes all headers.
 */
const area = chosenArea('malta');
const rounds = Number(process.env['ROUNDS'] ?? 5);
const seconds = Number(process.env['SECONDS'] ?? 3);
const connections = Number(process.env['CONNECTIONS'] ?? 32);
const sizes = [4_000, 16_000, 40_000];

const folder = mkdtempSync(join(tmpdir(), 'meridian-serve-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const script = (name: string): string => fileURLToPath(new URL(`./map-tiles/${name}.js`, import.meta.url));
await measuredCommand(process.execPath, [script('build-once'), extractOf(area), folder, '16']);
const [mapId] = readdirSync(join(folder, 'map-tiles')).filter((name) => name !== 'blocks');
const map = (await MapTiles.open(await DirectoryObjectStore.open(folder), mapId!))!;
const bySize: { readonly tile: TileId; readonly bytes: number }[] = [];
const [west, south, east, north] = map.manifest.bounds;
for (let z = 8; z <= 16; z++) {
  const [first, last] = [tileAt(north, west, z), tileAt(south, east, z)];
  for (let x = first.x; x <= last.x; x++)
    for (let y = first.y; y <= last.y; y++) {
      const stored = await map.get('vector', { z, x, y });
      if (stored !== undefined) bySize.push({ tile: { z, x, y }, bytes: stored.bytes.length });
    }
}

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}
async function start(name: string, argument: string): Promise<Server> {
  const child = spawn(process.execPath, [script(name), argument], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill('SIGKILL'));
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, port: Number(line.toString().split(' ')[0]) };
}

const ours = await start('tile-server', folder);
const results = [];
for (const size of sizes) {
  const near = bySize.toSorted((a, b) => Math.abs(a.bytes - size) - Math.abs(b.bytes - size)).slice(0, 8);
  const mean = Math.round(near.reduce((sum, { bytes }) => sum + bytes, 0) / near.length);
  const requests = near.map(({ tile: { z, x, y } }) =>
    Buffer.from(
      `GET /v1/tiles/${mapId}/${z}/${x}/${y}.mvt HTTP/1.1\r\nhost: a\r\naccept-encoding: gzip\r\n\r\n`,
    ),
  );
  const peer = await start('constant-server', String(mean));
  const perCpuS: Record<'ours' | 'peer', number[]> = { ours: [], peer: [] };
  let turn = 0;
  for (let round = -1; round < rounds; round++)
    for (const [name, server] of [
      ['peer', peer],
      ['ours', ours],
    ] as const) {
      const before = processCpuSeconds(server.child.pid!);
      const { answers } = await closedLoop({
        port: server.port,
        connections,
        seconds,
        nextRequest: () => requests[turn++ % requests.length]!,
      });
      if ([...answers.keys()].some((status) => status !== 200))
        throw new Error(`void: answers by status ${JSON.stringify([...answers])}`);
      if (round >= 0) perCpuS[name].push(answers.get(200)! / (processCpuSeconds(server.child.pid!) - before));
    }
  peer.child.kill();
  await checkAnswer(near[0]!.tile);
  const ratio = spread(perCpuS.ours.map((value, round) => value / perCpuS.peer[round]!));
  results.push({ bytes: mean, ratio, ours: spread(perCpuS.ours), peer: spread(perCpuS.peer) });
}
ours.child.kill();
appendResult('map-tiles-serve', { area, rounds, seconds, connections, results });
for (const { bytes, ratio, ours: own, peer } of results)
  console.log(
    `${bytes} bytes: ${ratio.median} of a constant buffer (${ratio.least}–${ratio.greatest}); ` +
      `ours ${own.median}, constant ${peer.median} answers per CPU-second`,
  );

/** What was counted is the tile of the store, byte for byte. */
async function checkAnswer(tile: TileId): Promise<void> {
  const answer = await fetch(
    `http://127.0.0.1:${ours.port}/v1/tiles/${mapId}/${tile.z}/${tile.x}/${tile.y}.mvt`,
  );
  const stored = await map.vectorTile(tile);
  if (!Buffer.from(await answer.arrayBuffer()).equals(Buffer.from(stored!)))
    throw new Error('void: another tile');
}
