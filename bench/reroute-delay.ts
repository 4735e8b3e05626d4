import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHistogram } from 'node:perf_hooks';
import { openTileset } from '#map-data/open-tileset.js';
import { DirectoryObjectStore } from '#platform/object-store/directory-object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyChanges, freeFlowMetric } from '#routing-engine/overlay/metric.js';
import { connectPlatform, type PlatformClient } from '#simulated-city/platform-client.js';
import { appendResult, spread } from './append-result.js';
import { startLiveOsrm } from './peers/osrm-update.js';
import { mapIsBuilt } from './peers/peer-maps.js';
import { peersInstalled } from './peers/peers-folder.js';
import { processCpuSeconds } from './process-cpu.js';
import { type ClosurePlan, planClosure, turnAwayPoints } from './reroute/closure-plan.js';
import { Fleet, type Push } from './reroute/fleet.js';
import { NavSocket } from './reroute/nav-socket.js';
import { type Programs, startPrograms } from './reroute/platform.js';
import { verifyPushes } from './reroute/verify-pushes.js';
import { chosenArea, extractOf } from './routing/areas.js';
import type { Round } from './routing/engine.js';
import { randomPairs } from './routing/pairs.js';
import { readRawMap } from './routing/raw-map.js';
import { seeded } from './routing/seeded.js';
import { writeSpeedFile } from './routing/speed-file.js';

/**
 * How long does it take from the acceptance of the point that tips a closure to the frame on the socket of a
 * driver who is rerouted? Real programs on the embedded log, active navigations and a steady load of points,
 * and the load generator, all on this machine. Roads close one after the other: guided drivers turn away at
 * each until the platform closes it. Afterwards every pushed route is compared with plain Dijkstra, else the
 * figure is void; then OSRM's chain runs on the machine alone.
 */
const area = chosenArea('heidelberg');
const shape = process.env['PROGRAMS'] === 'three' ? 'three' : 'one';
const navigations = Number(process.env['NAVIGATIONS'] ?? 2_000);
const pointsPerSecond = Number(process.env['POINTS'] ?? 2_000);
const closures = Number(process.env['CLOSURES'] ?? 60);
const peerRounds = Number(process.env['ROUNDS'] ?? 5);
const verifiedMax = Number(process.env['VERIFIED'] ?? 400);
const seed = Number(process.env['SEED'] ?? 1);

/** So far ahead, in edges, that the driver does not reach it before it closes. */
const aheadMin = 12;
const turnersMax = 8;
/**
 * Evidence for a closure as the group `traffic` has it; more is sent only where somebody passed a moment ago.
 */
const turnersUsual = 4;
const warmUpMs = Number(process.env['WARM_UP_S'] ?? 10) * 1_000;
const tipWithinMs = 2_500;

/** When the batches of the drivers who turned away were in flight. */
interface Tip {
  readonly sample: number;
  readonly sentMs: number;
  readonly answeredMs: number;
}

const pause = (ms: number): Promise<void> => new Promise((wake) => setTimeout(wake, ms));
const clock = (): number => performance.timeOrigin + performance.now();

const programs = await startPrograms(extractOf(area), shape);
try {
  await measure(programs);
} finally {
  await programs.stop();
  programs.remove();
}

async function measure({ folder, doorUrl, apiUrl, issuer, processIds }: Programs): Promise<void> {
  const objects = await DirectoryObjectStore.open(join(folder, 'objects'));
  const network = await openTileset(objects);
  await objects.close();
  const random = seeded(seed);
  const door = connectPlatform(doorUrl);
  const fleet = new Fleet(network, random);
  const began = performance.now();
  await fleet.begin(apiUrl, issuer, randomPairs(network, navigations, seed));
  console.error(`${fleet.size} navigations in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  fleet.drive(door, batchSeconds());
  await pause(warmUpMs);

  const cpuBefore = cpuOf(processIds);
  const own = process.cpuUsage();
  const [loadBefore, loadBeganMs] = [fleet.points.accepted, performance.now()];
  const { tips, closed } = await closeRoads({ network, fleet, door, apiUrl, programs, random });
  await pause(2_000);
  const seconds = (performance.now() - loadBeganMs) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const load = {
    pointsPerSecond: Math.round((fleet.points.accepted - loadBefore) / seconds),
    refused: fleet.points.refused,
    platformCores: Number(((cpuOf(processIds) - cpuBefore) / seconds).toFixed(2)),
    generatorCores: Number(((user + system) / 1e6 / seconds).toFixed(2)),
  };
  const delays = delaysOf(fleet.pushes, tips);
  fleet.close();
  const verdict = await verifyPushes(folder, network, fleet.pushes, verifiedMax);
  for (const fault of verdict.faults.slice(0, 5)) console.error(fault);
  await door.close();
  await programs.stop();

  const osrm = await chainOfOsrm(network, closed);
  const all = summary(delays.all);
  const figures = {
    area,
    programs: shape,
    navigations: fleet.size,
    closures: closed.length,
    closuresPushed: delays.first.length,
    frames: delays.all.length,
    otherFrames: fleet.pushes.length - delays.all.length,
    delayMs: all,
    firstFrameMs: summary(delays.first),
    stagesMs: {
      toMetric: summary(verdict.stages.map(({ toMetric }) => toMetric)),
      toDecision: summary(verdict.stages.map(({ toDecision }) => toDecision)),
      toFrame: summary(verdict.stages.map(({ toFrame }) => toFrame)),
    },
    load,
    verified: verdict.compared,
    faults: verdict.faults.length,
    ...(osrm === undefined
      ? {}
      : { osrmChainMs: osrm, overOsrm: Number((all.median / osrm.median).toFixed(4)) }),
  };
  console.log(JSON.stringify(figures, undefined, 2));
  if (verdict.faults.length > 0 || verdict.compared === 0)
    throw new Error(`void: ${verdict.faults.length} of ${verdict.compared} pushes are wrong`);
  appendResult('reroute-delay', figures);
}

/** A batch has enough points that the server gets as many requests as from phones that save power. */
function batchSeconds(): number {
  return Math.max(1, Math.round((navigations / pointsPerSecond) * 10));
}

interface Scene {
  readonly network: RoadNetwork;
  readonly fleet: Fleet;
  readonly door: PlatformClient;
  readonly apiUrl: string;
  readonly programs: Programs;
  readonly random: () => number;
}

/** Roads that many are bound for, one after the other. */
async function closeRoads(scene: Scene): Promise<{ tips: Tip[]; closed: number[] }> {
  const { network, fleet, random } = scene;
  const tips: Tip[] = [];
  const closed: number[] = [];
  let metric = freeFlowMetric(network, 'driving');
  for (let tries = 0; closed.length < closures && tries < closures * 20; tries++) {
    const routes = fleet.remaining();
    const ahead = routes[Math.floor(random() * routes.length)] ?? [];
    const plan = planClosure(network, metric, ahead, aheadMin, random);
    if (plan === undefined) continue;
    const before = fleet.pushes.length;
    const beganMs = clock();
    // Frames of the previous road may still come.
    const isNotified = (): boolean =>
      fleet.pushes.slice(before).some(({ frame }) => frame.saves_s === null && frame.caused_at >= beganMs);
    if (!(await turnAway(scene, plan, closed.length, tips, isNotified))) continue;
    closed.push(plan.edge);
    metric = applyChanges(network, metric, [{ edge: plan.edge, closed: true }], metric.version + 1);
    if (closed.length % 10 === 0) console.error(`${closed.length} roads, ${fleet.pushes.length} frames`);
  }
  return { tips, closed };
}

/**
 * Guided drivers come to the road one by one and leave it aside. False where the platform would not lead them
 * over it.
 */
async function turnAway(
  { network, door, apiUrl, programs: { issuer } }: Scene,
  plan: ClosurePlan,
  sample: number,
  tips: Tip[],
  isNotified: () => boolean,
): Promise<boolean> {
  const edgeId = network.edgeId(plan.edge);
  const { lat, lng, headingDeg } = plan.origin;
  const sockets: NavSocket[] = [];
  try {
    for (let nth = 0; nth < turnersMax && !isNotified(); nth++) {
      const sub = `turner-${clock()}`;
      const token = await issuer.issueToken({ sub, scopes: ['driver'] });
      const socket = await NavSocket.open(apiUrl, token, () => undefined);
      sockets.push(socket);
      const started = await socket.start({
        origin: { lat, lng },
        heading: headingDeg,
        destination: { lat: plan.destination.lat, lng: plan.destination.lng },
      });
      if (started?.route.edge_ids.includes(edgeId) !== true) return nth >= turnersUsual;
      const sentMs = clock();
      const { outcome } = await door.sendBatch(token, sub, turnAwayPoints(network, plan, Date.now()));
      if (outcome !== 'accepted') return false;
      tips.push({ sample, sentMs, answeredMs: clock() });
      if (nth + 1 < turnersUsual) continue;
      for (const end = clock() + tipWithinMs; !isNotified() && clock() < end; ) await pause(5);
    }
    return true;
  } finally {
    for (const socket of sockets) socket.close();
  }
}

/** Frames caused by one of the batches, the first one of each road. */
function delaysOf(pushes: readonly Push[], tips: readonly Tip[]) {
  const all: number[] = [];
  const first = new Map<number, number>();
  for (const { frame, atMs } of pushes) {
    // The server's clock has whole milliseconds.
    const tip = tips.find(
      ({ sentMs, answeredMs }) => frame.caused_at >= Math.floor(sentMs) && frame.caused_at <= answeredMs,
    );
    if (tip === undefined || frame.saves_s !== null) continue;
    const delayMs = atMs - frame.caused_at;
    all.push(delayMs);
    first.set(tip.sample, Math.min(delayMs, first.get(tip.sample) ?? Number.POSITIVE_INFINITY));
  }
  return { all, first: [...first.values()] };
}

function summary(delaysMs: readonly number[]) {
  const histogram = createHistogram({ lowest: 1, highest: 3_600_000, figures: 3 });
  for (const delay of delaysMs) histogram.record(Math.max(1, Math.round(delay)));
  const at = (percent: number): number => histogram.percentile(percent);
  return { count: delaysMs.length, median: at(50), p90: at(90), p99: at(99), greatest: histogram.max };
}

function cpuOf(processIds: readonly number[]): number {
  return processIds.reduce((sum, pid) => sum + processCpuSeconds(pid), 0);
}

/** Speed file, customize, load, first answer: on the clock, in milliseconds, with nothing else running. */
async function chainOfOsrm(network: RoadNetwork, closed: readonly number[]) {
  if (peerRounds === 0 || !peersInstalled() || !mapIsBuilt('osrm-mld', area)) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'meridian-bench-'));
  const map = await readRawMap(extractOf(area));
  const osrm = await startLiveOsrm(area, join(folder, 'osrm'));
  const [pair] = randomPairs(network, 1, seed);
  const took: number[] = [];
  for (let round = -1; round < peerRounds; round++) {
    const file = join(folder, 'speeds.csv');
    const began = performance.now();
    // Every road that closed so far, as its users must: what is not in the file is open again.
    writeSpeedFile(file, map, network, new Map(closed.slice(0, round + 2).map((edge) => [edge, 0])));
    await osrm.update(file);
    await osrm.peer.ask<Round>({ do: 'round', answer: 'times', pairs: [pair!] });
    if (round >= 0) took.push(performance.now() - began);
  }
  await Promise.all([osrm.still.close(), osrm.peer.close()]);
  rmSync(folder, { recursive: true, force: true });
  return spread(took);
}
