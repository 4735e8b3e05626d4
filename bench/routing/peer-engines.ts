import { isFeasible, mapIsBuilt, type PeerMap } from '../peers/peer-maps.js';
import { startPeer } from '../peers/peer-process.js';
import { howToInstall, peersInstalled } from '../peers/peers-folder.js';
import type { Area } from './areas.js';
import type { Engine, Round } from './engine.js';

/** Kinds of queries to the peers, and the map that each needs. */
const ways = {
  'osrm-mld': { map: 'osrm-mld' },
  'osrm-ch': { map: 'osrm-ch' },
  valhalla: { map: 'valhalla' },
  'graphhopper-ch': { map: 'graphhopper', algorithm: 'CH' },
  'graphhopper-lm': { map: 'graphhopper', algorithm: 'LM' },
} as const satisfies Record<string, { map: PeerMap; algorithm?: string }>;
export type PeerName = keyof typeof ways;
export const peerNames = Object.keys(ways) as PeerName[];

/**
 * Starts the peers whose maps exist; names the command that builds the missing ones, and continues without
 * them.
 */
export async function startPeers(area: Area, names: readonly PeerName[] = peerNames): Promise<Engine[]> {
  if (!peersInstalled()) {
    console.error(`The peers are not installed: this measures ours alone. To install them: ${howToInstall}`);
    return [];
  }
  const engines: Engine[] = [];
  for (const name of names) {
    const { map } = ways[name];
    if (!isFeasible(map, area)) console.error(`${area}: ${name} is left out, its map cannot be made here.`);
    else if (!mapIsBuilt(map, area))
      console.error(`${area}: ${name} has no map and is left out. To make it: ${howToInstall} ${area}`);
    else engines.push(await peerEngine(name, area));
  }
  return engines;
}

async function peerEngine(name: PeerName, area: Area): Promise<Engine> {
  const way: { map: PeerMap; algorithm?: string } = ways[name];
  const peer = await startPeer(way.map, area);
  return {
    name,
    round: (pairs, answer, repeat) =>
      peer.ask<Round>({ do: 'round', pairs, answer, repeat, algorithm: way.algorithm }),
    close: () => peer.close(),
  };
}
