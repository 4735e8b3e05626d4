import { seededRandom } from '#platform/random/random.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { type EdgeObservations, incidentKind, incidentSource, observationKind } from '#schemas/messages.js';
import { CityLife } from '#simulated-city/city-life.js';
import { networkRoads } from '#simulated-city/network-roads.js';
import type { ScenarioName } from '#simulated-city/scenarios.js';
import type { HiddenClosure, WorldSettings } from '#simulated-city/world.js';
import { VirtualClock } from './virtual-clock.js';
import { VirtualPlatform, type VirtualPlatformOptions } from './virtual-platform.js';
import type { VirtualRoads } from './virtual-roads.js';

const minuteMs = 60_000;

export interface CityRunSettings {
  readonly network: RoadNetwork;
  readonly seed: number;
  readonly startMs: number;
  readonly minutes: number;
  readonly drivers: number;
  readonly guidedShare?: number;
  readonly scenario?: ScenarioName;
  readonly delayMaxMs?: number;
  readonly world?: Partial<WorldSettings>;
  /** What an earlier run remembered, for a restart on its data. */
  readonly memory?: VirtualRoads['memory'];
  readonly traffic?: VirtualPlatformOptions['traffic'];
  readonly onMinute?: (minute: number, found: readonly FoundClosure[]) => void;
}

export interface FoundClosure {
  readonly edge: number;
  readonly atMs: number;
  readonly evidence: string;
  /** The hidden closure that it is, or that it is beside. */
  readonly truth: HiddenClosure | undefined;
  /** Its edge ends a few metres before the closed one: points are no more exact than that. */
  readonly isBeside: boolean;
}

export interface CityRun {
  readonly found: readonly FoundClosure[];
  readonly hidden: readonly {
    readonly closure: HiddenClosure;
    readonly perMinute: number;
    readonly foundAfterMs?: number;
  }[];
  readonly memory: VirtualRoads['memory'];
  readonly report: CityLife['report'];
  readonly observedEdges: number;
}

/** A closure that has just ended may still be found: its evidence is in flight. */
const afterwardsMs = minuteMs;
/** Longest edge before a closed one that is taken for it: phones are wrong by four metres and more. */
const besideM = 25;

/** The city and the platform in virtual time; listed closures are compared with the truth. */
export async function runCity(settings: CityRunSettings): Promise<CityRun> {
  const { network, seed, startMs, minutes, drivers, delayMaxMs = 300 } = settings;
  const clock = new VirtualClock(startMs);
  const random = seededRandom(seed * 7_919 + 1);
  const hidden: { closure: HiddenClosure; perMinute: number; foundAfterMs?: number }[] = [];
  const found: FoundClosure[] = [];
  const open = new Set<string>();
  const passages = new Map<number, number[]>();
  const closedAt = (nowMs: number, holds: (edge: number) => boolean): HiddenClosure | undefined =>
    hidden.find(
      ({ closure: { edges, closedMs, opensMs } }) =>
        closedMs <= nowMs && nowMs <= opensMs + afterwardsMs && edges.some(holds),
    )?.closure;
  const { tail, head, firstOut } = network.arrays;
  /** The edge leads to the closed one, directly or over other short ones. */
  const isBefore = (edge: number, closed: number, leftM = besideM - network.edgeLengthM(edge)): boolean => {
    if (leftM < 0) return false;
    const node = head[edge]!;
    if (node === tail[closed]) return true;
    for (let out = firstOut[node]!; out < firstOut[node + 1]!; out++)
      if (isBefore(out, closed, leftM - Math.max(1, network.edgeLengthM(out)))) return true;
    return false;
  };
  const platform = new VirtualPlatform({
    ...{ network, clock, random, delayMaxMs },
    ...(settings.traffic === undefined ? {} : { traffic: settings.traffic }),
    onIncident(incident, nowMs) {
      if (incident.kind !== incidentKind.closed || incident.source !== incidentSource.detected) return;
      if (!incident.active) {
        open.delete(incident.incidentId);
        return;
      }
      if (open.has(incident.incidentId)) return;
      const edge = network.edgeByStableId(incident.edgeIds[0]!)!;
      const itself = closedAt(nowMs, (closed) => closed === edge);
      const truth = itself ?? closedAt(nowMs, (closed) => isBefore(edge, closed));
      const isBeside = itself === undefined && truth !== undefined;
      const closure: FoundClosure = { edge, atMs: nowMs, evidence: incident.evidence, truth, isBeside };
      const one = hidden.find((each) => each.closure === itself);
      if (one !== undefined && one.foundAfterMs === undefined)
        one.foundAfterMs = nowMs - one.closure.closedMs;
      open.add(incident.incidentId);
      found.push(closure);
    },
    onObservations(message: EdgeObservations) {
      for (const { kind, edgeId, leftMs } of message.observations) {
        if (kind !== observationKind.passed) continue;
        const edge = network.edgeByStableId(edgeId)!;
        const times = passages.get(edge) ?? [];
        times.push(leftMs);
        passages.set(edge, times);
      }
    },
  });
  if (settings.memory !== undefined) platform.roads.remember(settings.memory);
  const { guidedShare, scenario = 'usual', world } = settings;
  const life = new CityLife(
    networkRoads(network),
    {
      drivers,
      seed,
      scenario,
      ...(guidedShare === undefined ? {} : { guidedShare }),
      ...(world === undefined ? {} : { world }),
    },
    { client: platform, navigate: (...trip) => platform.navigate(...trip) },
    clock.nowMs,
  );
  for (let second = 0; second < minutes * 60; second++) {
    const nowMs = startMs + second * 1_000;
    await clock.until(nowMs);
    life.tick(nowMs, 1);
    for (const closure of life.world.closures) {
      if (hidden.some((each) => each.closure === closure)) continue;
      const before = closure.edges.flatMap((edge) => passages.get(edge) ?? []);
      const perMinute = before.filter((atMs) => atMs > nowMs - 10 * minuteMs).length / 10;
      hidden.push({ closure, perMinute });
    }
    if (second % 60 === 59) settings.onMinute?.((second + 1) / 60, found);
  }
  return { found, hidden, memory: platform.roads.memory, report: life.report, observedEdges: passages.size };
}
