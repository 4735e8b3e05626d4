import { cpSync } from 'node:fs';
import { join } from 'node:path';
import type { Area } from '../routing/areas.js';
import { measuredCommand, type Usage } from './measured-command.js';
import { mapFolder } from './peer-maps.js';
import { type PeerProcess, startPeer } from './peer-process.js';
import { peersFolder } from './peers-folder.js';

const customize = join(peersFolder, 'venv/lib/python3.12/site-packages/osrm/bin/osrm-customize');

/** OSRM twice: with its map, and with a copy of the map whose speeds can be changed. */
export interface LiveOsrm {
  readonly still: PeerProcess;
  readonly peer: PeerProcess;
  /** `osrm-customize` with the speed file, then loading its output: how OSRM updates speeds. */
  update(
    speedFile: string,
  ): Promise<{ readonly customize: Usage; readonly load: { cpuS: number; wallS: number } }>;
}

export async function startLiveOsrm(area: Area, folder: string): Promise<LiveOsrm> {
  cpSync(mapFolder('osrm-mld', area), folder, { recursive: true });
  const peer = await startPeer('osrm-mld', area, folder);
  return {
    still: await startPeer('osrm-mld', area),
    peer,
    async update(speedFile) {
      const used = await measuredCommand(customize, [
        join(folder, 'map.osrm'),
        '--segment-speed-file',
        speedFile,
      ]);
      return { customize: used, load: await peer.ask({ do: 'load' }) };
    },
  };
}
