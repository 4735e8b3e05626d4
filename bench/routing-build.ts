import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import { appendResult, spread } from './append-result.js';
import { Missing } from './missing.js';
import { measuredCommand, type Usage } from './peers/measured-command.js';
import { type BuiltMap, buildPeerMap, isFeasible, type PeerMap, peerMaps } from './peers/peer-maps.js';
import { howToInstall, peersInstalled } from './peers/peers-folder.js';
import { type Area, extractOf } from './routing/areas.js';
import { meridianCommand, settingsFor } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { progress } from './routing/progress.js';

/**
 * From an extract to what an engine answers from: CPU seconds, peak memory and bytes on disk, beside the
 * peers' own builds, in turns. Ours is opened afterwards with every checksum, else the figures are void.
 */
const options = readOptions();
if (!options.alone && !peersInstalled())
  throw new Missing(
    `A build is measured beside the peers'. To install them: ${howToInstall}. Without them: --alone.`,
  );
for (const area of options.areas) await measure(area);

async function measure(area: Area): Promise<void> {
  const peers = options.alone
    ? []
    : peerMaps.filter((map) => isFeasible(map, area) && (options.peers?.includes(map) ?? true));
  const builds = new Map(['meridian', ...peers].map((name): [string, BuiltFigures[]] => [name, []]));
  const bar = progress(`${area}, builds`);
  let done = 0;
  for (let round = 0; round < options.rounds; round++)
    for (const name of rotated([...builds.keys()], round)) {
      builds.get(name)!.push(await built(name, area));
      bar.show(++done, options.rounds * builds.size);
    }
  bar.end();
  const figures = Object.fromEntries(
    [...builds].map(([name, rounds]) => [
      name,
      {
        cpuS: spread(rounds.map(({ cpuS }) => cpuS)),
        wallS: spread(rounds.map(({ wallS }) => wallS)),
        peakMib: spread(rounds.map(({ peakMib }) => peakMib)),
        bytes: rounds[0]!.bytes,
      },
    ]),
  );
  appendResult('routing-build', { area, extractBytes: statSync(extractOf(area)).size, engines: figures });
  console.log(area);
  for (const [name, { cpuS, peakMib, bytes }] of Object.entries(figures))
    console.log(
      `  ${name.padEnd(12)} ${cpuS.median} s CPU (${cpuS.least}–${cpuS.greatest}), ` +
        `peak ${Math.round(peakMib.median)} MiB, ${(bytes / 1e6).toFixed(2)} MB on disk`,
    );
}

type BuiltFigures = Usage & Pick<BuiltMap, 'bytes'>;

async function built(name: string, area: Area): Promise<BuiltFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  try {
    if (name !== 'meridian') return await buildPeerMap(name as PeerMap, area, join(folder, 'map'));
    const args = [meridianCommand, 'tiles', 'build', extractOf(area)];
    const usage = await measuredCommand(process.execPath, args, settingsFor(folder));
    const objects = await DirectoryObjectStore.open(folder);
    await openTileset(objects);
    await objects.close();
    return { ...usage, bytes: bytesBelow(join(folder, 'tilesets')) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function bytesBelow(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  return bytes;
}

function rotated(names: readonly string[], by: number): string[] {
  return names.map((_, i) => names[(i + by) % names.length]!);
}
