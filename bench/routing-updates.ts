import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  applyChanges,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/overlay/metric.js';
import { appendResult, spread } from './append-result.js';
import { type LiveOsrm, startLiveOsrm } from './peers/osrm-update.js';
import { mapFolder, mapIsBuilt } from './peers/peer-maps.js';
import { type PeerProcess, startPeer } from './peers/peer-process.js';
import { howToInstall, peersInstalled } from './peers/peers-folder.js';
import { type Area, extractOf } from './routing/areas.js';
import { type ChangeSet, changeSet, type StraightTrip, tripsAlong } from './routing/change-set.js';
import { compareWithDijkstra } from './routing/compare-with-dijkstra.js';
import type { Round, TripAnswer } from './routing/engine.js';
import { openArea } from './routing/open-area.js';
import { readOptions } from './routing/options.js';
import { ourWay } from './routing/our-engine.js';
import { type Pair, randomPairs } from './routing/pairs.js';
import { progress } from './routing/progress.js';
import { type RawMap, readRawMap } from './routing/raw-map.js';
import { seeded } from './routing/seeded.js';
import { writeSpeedFile } from './routing/speed-file.js';

/**
 * From "these speeds are known" to "the first answer uses them": CPU seconds, beside OSRM, which customizes
 * its map with a speed file and loads it again, and Valhalla, which writes into its traffic tiles. Each round
 * draws other edges. Afterwards our costs are compared with plain Dijkstra on the new speeds, else the
 * figures are void.
 */
const options = readOptions({ count: 100 });
/** Rounds before the first that counts: compilers and page caches are warm then. */
const WARM_UP = 2;
/** A trip over a road that changed takes this much longer or shorter than length over speed says, at most. */
const TOLERANCE = 0.15;
/** A handful of roads may hold none that all engines agree on: then others are drawn. */
const DRAWS_MAX = 50;

for (const area of options.areas) await measureArea(area);

async function measureArea(area: Area): Promise<void> {
  const network = await openArea(area);
  const withPeers =
    !options.alone && peersInstalled() && mapIsBuilt('osrm-mld', area) && mapIsBuilt('valhalla', area);
  if (!withPeers && !options.alone)
    console.error(
      `${area}: ours alone is measured. To install the peers and their maps: ${howToInstall} ${area}`,
    );
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  try {
    const map = withPeers ? await readRawMap(extractOf(area)) : undefined;
    const osrm = withPeers ? await startLiveOsrm(area, join(folder, 'osrm')) : undefined;
    const valhalla = withPeers ? await liveValhalla(area, join(folder, 'valhalla')) : undefined;
    for (const pattern of options.patterns)
      for (const share of options.shares) {
        // All edges are all edges, wherever one begins.
        if (share === 100 && pattern === 'clustered' && options.patterns.length > 1) continue;
        await measure({ area, network, folder, map, osrm, valhalla }, pattern, share);
      }
    await Promise.all([osrm?.still.close(), osrm?.peer.close(), valhalla?.close()]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Setting {
  readonly area: Area;
  readonly network: RoadNetwork;
  readonly folder: string;
  readonly map: RawMap | undefined;
  readonly osrm: LiveOsrm | undefined;
  readonly valhalla: PeerProcess | undefined;
}

function liveValhalla(area: Area, folder: string): Promise<PeerProcess> {
  cpSync(mapFolder('valhalla', area), folder, { recursive: true });
  return startPeer('valhalla', area, folder);
}

async function measure(setting: Setting, pattern: 'clustered' | 'random', share: number): Promise<void> {
  const { area, network, folder, map, osrm, valhalla } = setting;
  const random = seeded(options.seed);
  const empty = freeFlowMetric(network, 'driving');
  const long = randomPairs(network, 1, options.seed)[0]!;
  const ours: number[] = [];
  const oursWall: number[] = [];
  const osrmCpu: number[] = [];
  const osrmWall: number[] = [];
  const valhallaCpu: number[] = [];
  let edges = 0;
  let compared = 0;
  const bar = progress(`${area}, ${share} % ${pattern}`);
  for (let round = -WARM_UP; round < options.rounds; round++) {
    const { changes, trip } = await drawChanges(setting, pattern, share, empty, random);
    edges = changes.size;
    const pairs = [trip.pair, long];
    const list = [...changes].map(([edge, speedKph]): EdgeChange => ({ edge, speedKph }));
    const own = measureOurs(network, empty, list, round + WARM_UP + 1, pairs);
    mustShow('ours', own.first, trip);
    const { differences } = await compareWithDijkstra(
      network,
      own.metric,
      options.count,
      random,
      () => undefined,
    );
    if (differences.length > 0) throw new Error(`void: ${differences[0]}`);
    if (round >= 0) {
      ours.push(own.cpuS);
      oursWall.push(own.wallS);
      compared += options.count;
    }
    // One cold round of a peer is enough: its steps are processes that begin again each time.
    if (round >= -1 && osrm !== undefined && map !== undefined) {
      const file = join(folder, 'speeds.csv');
      writeSpeedFile(file, map, network, changes);
      const { customize, load } = await osrm.update(file);
      const first = await osrm.peer.ask<Round>({ do: 'round', answer: 'times', pairs });
      mustShow('osrm-mld', first.answers[0], trip);
      if (round >= 0) {
        osrmCpu.push(customize.cpuS + load.cpuS + first.cpuS);
        osrmWall.push(customize.wallS + load.wallS + first.wallS);
      }
    }
    if (valhalla !== undefined) {
      const how = { share: share / 100, clustered: pattern === 'clustered', seed: options.seed + round };
      const written = await valhalla.ask<{ cpuS: number }>({ do: 'update', ...how });
      const first = await valhalla.ask<Round>({ do: 'round', answer: 'times', live: true, pairs });
      if (round >= 0) valhallaCpu.push(written.cpuS + first.cpuS);
    }
    bar.show(round + WARM_UP + 1, options.rounds + WARM_UP);
  }
  bar.end();
  const figures = {
    meridian: { cpuS: spread(ours), wallS: spread(oursWall) },
    ...(osrmCpu.length === 0
      ? {}
      : {
          'osrm-mld': { cpuS: spread(osrmCpu), wallS: spread(osrmWall) },
          valhalla: { cpuS: spread(valhallaCpu) },
          oursOverOsrm: spread(ours.map((cpuS, round) => cpuS / osrmCpu[round]!)),
        }),
  };
  appendResult('routing-updates', { area, pattern, share, edges, seed: options.seed, compared, ...figures });
  const ms = (values: readonly number[]): string => {
    const { least, median, greatest } = spread(values.map((each) => each * 1_000));
    return `${median} ms (${least}–${greatest})`;
  };
  console.log(
    `${area}, ${share} % ${pattern}, ${edges} edges: ours ${ms(ours)} CPU, ${ms(oursWall)} on the clock` +
      (osrmCpu.length === 0
        ? ''
        : `; OSRM ${ms(osrmCpu)}, ours over OSRM ${figures.oursOverOsrm?.median}; ` +
          `Valhalla in place ${ms(valhallaCpu)}`),
  );
}

function measureOurs(
  network: RoadNetwork,
  before: Metric,
  changes: readonly EdgeChange[],
  version: number,
  pairs: readonly Pair[],
) {
  const cpu = process.cpuUsage();
  const began = performance.now();
  const metric = applyChanges(network, before, changes, version);
  const [first] = pairs.map((pair) => ourWay(network, metric, pair));
  const wallS = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  const answer: TripAnswer = first === undefined ? null : [first.lengthM, first.durationMs / 1_000];
  return { cpuS: (user + system) / 1e6, wallS, metric, first: answer };
}

/**
 * Changes, and a trip along a road that changes, which every engine drives along that road while nothing has
 * changed.
 */
async function drawChanges(
  { area, network, osrm }: Setting,
  pattern: 'clustered' | 'random',
  share: number,
  empty: Metric,
  random: () => number,
): Promise<{ changes: ChangeSet; trip: StraightTrip }> {
  for (let draws = 0; draws < DRAWS_MAX; draws++) {
    const changes = changeSet(network, share / 100, pattern, random);
    const trip = await agreedTrip(network, empty, changes, osrm);
    if (trip !== undefined) return { changes, trip };
  }
  throw new Error(`${area}: no road that changes is driven along by all; take another seed`);
}

async function agreedTrip(
  network: RoadNetwork,
  empty: Metric,
  changes: ChangeSet,
  osrm: LiveOsrm | undefined,
): Promise<StraightTrip | undefined> {
  const trips = tripsAlong(network, changes, 50);
  const pairs = trips.map(({ pair }) => pair);
  const theirs = await osrm?.still.ask<Round>({ do: 'round', answer: 'times', pairs });
  const along = (meters: number, trip: StraightTrip): boolean =>
    Math.abs(meters - trip.meters) < 0.05 * trip.meters;
  return trips.find((trip, i) => {
    const way = ourWay(network, empty, trip.pair);
    if (way === undefined || !along(way.lengthM, trip)) return false;
    return theirs === undefined || along(theirs.answers[i]?.[0] ?? 0, trip);
  });
}

/**
 * Nobody left the road while nothing had changed. So either the answer takes what the new speed says, or it
 * leaves the road now: OSRM's weights are not its times, and it may prefer a way around that takes longer.
 */
function mustShow(engine: string, answer: TripAnswer | undefined, { meters, seconds }: StraightTrip): void {
  const [ownMeters, ownSeconds] = answer ?? [0, 0];
  const around = Math.abs(ownMeters - meters) > 0.05 * meters && ownMeters > 0;
  if (!around && Math.abs(ownSeconds - seconds) > Math.max(0.3, TOLERANCE * seconds))
    throw new Error(`void: ${engine} takes ${ownSeconds} s where the new speed says ${seconds.toFixed(2)} s`);
}
