import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Area, areaName, extractOf } from '../routing/areas.js';
import { measuredCommand, type Usage } from './measured-command.js';
import {
  graphHopperClasses,
  graphHopperLibraries,
  peerPython,
  peerSource,
  peersFolder,
} from './peers-folder.js';

/** Maps that peers prepare; one may serve two kinds of queries. */
export const peerMaps = ['osrm-mld', 'osrm-ch', 'valhalla', 'graphhopper'] as const;
export type PeerMap = (typeof peerMaps)[number];

export interface BuiltMap extends Usage {
  /** What an engine needs on disk to answer; intermediate files are not counted. */
  readonly bytes: number;
  /** Its extract and build command: another one makes it stale. */
  readonly origin: string;
}

export const mapFolder = (map: PeerMap, area: Area): string => join(peersFolder, 'maps', areaName(area), map);

/** OSRM's contraction did not finish on New York in 28 minutes. */
export const isFeasible = (map: PeerMap, area: Area): boolean => !(map === 'osrm-ch' && area === 'ny');

/** Built from the present extract by the present command. */
export function mapIsBuilt(map: PeerMap, area: Area): boolean {
  if (!existsSync(join(mapFolder(map, area), 'built.json'))) return false;
  return builtMap(map, area).origin === originOf(map, area);
}

/** The command that makes (`build`) or serves (`serve`) a map. */
export function peerCommand(
  verb: 'build' | 'serve',
  map: PeerMap,
  folder: string,
  extract: string[],
): string[] {
  switch (map) {
    case 'osrm-mld':
    case 'osrm-ch':
      return [
        peerPython,
        peerSource('osrm_peer.py'),
        verb,
        ...extract,
        folder,
        map === 'osrm-ch' ? 'CH' : 'MLD',
      ];
    case 'valhalla':
      return [peerPython, peerSource('valhalla_peer.py'), verb, ...extract, folder];
    case 'graphhopper':
      // The serial collector costs the least CPU on a heap of this size.
      return [
        'java',
        '-Xmx4g',
        '-XX:+UseSerialGC',
        '-cp',
        [graphHopperClasses, join(graphHopperLibraries, '*')].join(':'),
        'GraphHopperPeer',
        verb,
        ...extract,
        folder,
      ];
  }
}

/** Rebuilds the map of an area. */
export async function buildPeerMap(
  map: PeerMap,
  area: Area,
  folder = mapFolder(map, area),
): Promise<BuiltMap> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const [command, ...args] = peerCommand('build', map, folder, [extractOf(area)]);
  const usage = await measuredCommand(command!, args);
  const built = { ...usage, bytes: bytesToServe(map, folder), origin: originOf(map, area) };
  writeFileSync(join(folder, 'built.json'), `${JSON.stringify(built)}\n`);
  return built;
}

const recipes = {
  'osrm-mld': 'osrm_peer.py',
  'osrm-ch': 'osrm_peer.py',
  valhalla: 'valhalla_peer.py',
  graphhopper: 'GraphHopperPeer.java',
} as const;

function originOf(map: PeerMap, area: Area): string {
  const recipe = readFileSync(peerSource(recipes[map]), 'utf8');
  // Only the build command counts: the serving command may change without a new map.
  const [making] =
    /(def build|def settings|GraphHopper configured).*?(?=class Engine|ObjectNode round)/s.exec(recipe)!;
  const hash = createHash('sha256').update(making).digest('hex').slice(0, 16);
  return `${hash} of ${statSync(extractOf(area)).size} bytes`;
}

/** Resources that the build of the present map used. */
export const builtMap = (map: PeerMap, area: Area): BuiltMap =>
  JSON.parse(readFileSync(join(mapFolder(map, area), 'built.json'), 'utf8')) as BuiltMap;

/** Files that later steps of OSRM need and `osrm-routed` never opens (`--list-inputs`). */
const osrmIntermediate = /^built\.json$|\.(cnbg|cnbg_to_ebg|ebg|enw|restrictions|turn_penalties_index)$/;

function bytesToServe(map: PeerMap, folder: string): number {
  let bytes = 0;
  for (const name of readdirSync(folder)) {
    const { size } = statSync(join(folder, name));
    if (map === 'valhalla' ? name === 'tiles.tar' : !osrmIntermediate.test(name)) bytes += size;
  }
  return bytes;
}
