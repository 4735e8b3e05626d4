import { parseArgs } from 'node:util';
import { Missing } from './missing.js';
import { installPeers } from './peers/install-peers.js';
import { buildPeerMap, builtMap, isFeasible, mapIsBuilt, peerMaps } from './peers/peer-maps.js';
import { peersFolder } from './peers/peers-folder.js';
import { type Area, areas } from './routing/areas.js';

/**
 * Installs OSRM, Valhalla and GraphHopper and makes their maps of the given areas; what is there already
 * stays.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean', default: false } },
});
const wanted = positionals.length === 0 ? areas : positionals.map(areaNamed);
installPeers(console.error);
console.error(`OSRM, Valhalla and GraphHopper are in ${peersFolder}.`);
for (const area of wanted)
  for (const map of peerMaps) {
    if (!isFeasible(map, area)) {
      console.error(`${area} ${map}: left out, it does not finish`);
      continue;
    }
    const there = mapIsBuilt(map, area) && !values.again;
    const { cpuS, peakMib, bytes } = there ? builtMap(map, area) : await buildPeerMap(map, area);
    console.error(
      `${area} ${map}: ${cpuS.toFixed(1)} s CPU, ${Math.round(peakMib)} MiB, ` +
        `${(bytes / 1e6).toFixed(1)} MB on disk${there ? ' (was there)' : ''}`,
    );
  }

function areaNamed(name: string): Area {
  const area = areas.find((known) => known === name);
  if (area === undefined) throw new Missing(`${name} is no area; use some of ${areas.join(', ')}.`);
  return area;
}
