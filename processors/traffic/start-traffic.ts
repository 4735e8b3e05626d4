import { each, type StreamContext } from '#platform/stream/input.js';
import { ok } from '#platform/stream/outcome.js';
import type { Topology } from '#platform/stream/start-processor.js';
import type { TopicCodecs } from '#platform/wire/topic-codecs.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { Counts } from '../counts.js';
import { observedEdgesMax, quietMs, tickMs } from '../limits.js';
import { type GroupDeps, type Running, startGroup } from '../start-group.js';
import { edgeFacts } from './edge-facts.js';
import type { EdgeFacts } from './publish-speed.js';
import { edgeRules, type TrafficSettings, trafficDefaults } from './settings.js';
import { trafficStateDefinition } from './traffic-state.js';
import { type TrafficOutput, type TrafficState, TrafficStep } from './traffic-step.js';

export interface TrafficDeps extends GroupDeps {
  readonly codecs: Pick<
    TopicCodecs,
    | 'trafficEdgeObserved'
    | 'trafficClosureReported'
    | 'trafficSegmentSpeed'
    | 'trafficIncidentChanged'
    | 'deadLetter'
  >;
  readonly network: RoadNetwork;
  readonly settings?: Partial<TrafficSettings>;
  /** Times the empty road's duration that an edge usually takes at a time; without it nothing is usual. */
  readonly typicalRatio?: (edgeId: string, atMs: number) => number | undefined;
}

export interface TrafficTopologyDeps
  extends Pick<TrafficDeps, 'codecs' | 'settings' | 'typicalRatio' | 'clock'> {
  readonly tilesetId: string;
  readonly facts: (edgeId: string) => EdgeFacts | undefined;
}

const observationOutcomes = ['counted', 'late', 'repeated', 'implausible', 'reported', 'foreign', 'full'];
const eventOutcomes = ['speeds', 'closures', 'reopenings'];

/** Group `traffic`: derives speeds and closures from drives. */
export async function startTraffic(deps: TrafficDeps): Promise<Running> {
  const counts = new Counts(
    deps.metrics,
    'traffic_outcomes_total',
    'Observations of edges by outcome, and records that left by kind.',
    [...observationOutcomes, ...eventOutcomes],
  );
  const { network } = deps;
  const roads = { tilesetId: network.tilesetId, facts: edgeFacts(network) };
  return startGroup(trafficTopology({ ...deps, ...roads }, counts), deps, counts);
}

/** The group as a value, on the given roads. */
export function trafficTopology(
  { codecs, tilesetId, facts, settings, typicalRatio, clock = Date.now }: TrafficTopologyDeps,
  counts: Counts,
): Topology<TrafficState> {
  const effective = { ...trafficDefaults, ...settings };
  const typicalKph = (edgeId: string, atMs: number): number | undefined => {
    const ratio = typicalRatio?.(edgeId, atMs);
    return ratio === undefined ? undefined : (facts(edgeId)?.freeFlowKph ?? 0) / ratio;
  };
  const step = new TrafficStep({
    tilesetId,
    facts,
    ...(typicalRatio === undefined ? {} : { typicalKph }),
    rules: edgeRules(effective),
    sweepMs: effective.sweepMs,
    sweepSpeedMs: effective.sweepSpeedMs,
    edgesMax: observedEdgesMax,
    onOutcome: counts.add,
  });
  const emit = (context: StreamContext<TrafficState>, { speeds, incidents }: TrafficOutput): void => {
    counts.add('speeds', speeds.length);
    for (const message of speeds) context.emit(codecs.trafficSegmentSpeed, String(message.cell), message);
    for (const message of incidents) {
      counts.add(message.active ? 'closures' : 'reopenings');
      context.emit(codecs.trafficIncidentChanged, message.incidentId, message);
    }
  };
  /**
   * When the last record of a partition arrived, by our own clock: only idle partitions advance by the clock.
   */
  const heardMs = new Map<number, number>();
  return {
    group: 'traffic',
    startAt: 'earliest',
    state: trafficStateDefinition(tilesetId),
    inputs: [
      each(codecs.trafficEdgeObserved, ({ message }, context) => {
        heardMs.set(context.partition, clock());
        emit(context, step.apply(context.state, message));
        return ok;
      }),
      each(codecs.trafficClosureReported, ({ message }, context) => {
        heardMs.set(context.partition, clock());
        emit(context, step.report(context.state, message));
        return ok;
      }),
    ],
    tick: {
      everyMs: tickMs,
      run: (context) => {
        const nowMs = clock();
        const heard = heardMs.get(context.partition) ?? nowMs;
        heardMs.set(context.partition, heard);
        if (nowMs - heard >= quietMs) emit(context, step.advance(context.state, nowMs));
      },
    },
  };
}
