import { partitionOf } from '#platform/event-log/murmur2.js';
import {
  applyIncident,
  applySpeeds,
  edgeChanges,
  expireIncidents,
  noRoads,
} from '#processors/customization/live-roads.js';
import { edgeFacts } from '#processors/traffic/edge-facts.js';
import { edgeRules, type TrafficSettings, trafficDefaults } from '#processors/traffic/settings.js';
import { type TrafficOutput, type TrafficState, TrafficStep } from '#processors/traffic/traffic-step.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { applyChanges, freeFlowMetric, type Metric } from '#routing-engine/overlay/metric.js';
import type { EdgeObservations, IncidentChanged, MetricCustomized } from '#schemas/messages.js';
import { trafficEdgeObserved } from '#schemas/topics.js';
import { simulatedDriversMin } from '#simulated-city/limits.js';
import type { VirtualClock } from '../simulation/virtual-clock.js';

export interface VirtualRoadsOptions {
  readonly network: RoadNetwork;
  readonly clock: VirtualClock;
  /** Each record of an incident. */
  readonly onIncident: (incident: IncidentChanged, nowMs: number) => void;
  readonly onObservations?: (message: EdgeObservations, nowMs: number) => void;
}

export interface MetricChange {
  readonly before: Metric;
  readonly after: Metric;
  readonly announcement: MetricCustomized;
}

/** As `npm start` sets them. */
export const trafficOfStart: TrafficSettings = {
  ...trafficDefaults,
  window: { ...trafficDefaults.window, driversMin: simulatedDriversMin },
};

/** After this long without a record the machine's clock ends the windows of a partition. */
const quietMs = 2_000;

/**
 * What the platform knows of the roads: the steps of the groups `traffic` and `customization`, joined in one
 * thread.
 */
export class VirtualRoads {
  readonly #options: VirtualRoadsOptions;
  readonly #step: TrafficStep;
  #partitions: TrafficState[];
  readonly #heardMs: number[];
  readonly #live = noRoads();
  readonly #waiting = new Set<string>();
  #metric: Metric;
  #listener: ((change: MetricChange) => void) | undefined;

  constructor(options: VirtualRoadsOptions) {
    const { network, clock } = options;
    this.#options = options;
    const settings = trafficOfStart;
    this.#step = new TrafficStep({
      tilesetId: network.tilesetId,
      facts: edgeFacts(network),
      rules: edgeRules(settings),
      sweepMs: settings.sweepMs,
      sweepSpeedMs: settings.sweepSpeedMs,
      edgesMax: 1e6,
      onOutcome: () => undefined,
    });
    const { partitions } = trafficEdgeObserved;
    this.#partitions = Array.from({ length: partitions }, () => ({
      edges: new Map(),
      streamMs: 0,
      heardMs: 0,
    }));
    this.#heardMs = this.#partitions.map(() => clock.nowMs);
    this.#metric = freeFlowMetric(network, 'driving');
  }

  get metric(): Metric {
    return this.#metric;
  }

  /** What the traffic group remembers, for a restart with the same memory. */
  get memory(): readonly TrafficState[] {
    return this.#partitions;
  }

  remember(memory: readonly TrafficState[]): void {
    this.#partitions = [...memory];
  }

  onChange(listener: (change: MetricChange) => void): () => void {
    this.#listener = listener;
    return () => {
      this.#listener = undefined;
    };
  }

  observe(messages: readonly EdgeObservations[]): void {
    const { clock, onObservations } = this.#options;
    for (const message of messages) {
      onObservations?.(message, clock.nowMs);
      const partition = partitionOf(String(message.cell), this.#partitions.length);
      this.#heardMs[partition] = clock.nowMs;
      this.#take(this.#step.apply(this.#partitions[partition]!, message));
    }
  }

  /** Advances time in partitions that receive nothing. */
  tick(): void {
    const { nowMs } = this.#options.clock;
    for (const [partition, state] of this.#partitions.entries())
      if (nowMs - this.#heardMs[partition]! >= quietMs) this.#take(this.#step.advance(state, nowMs));
  }

  /** Makes a version of the metric of what was learnt since the last one. */
  customize(): void {
    const { network, clock } = this.#options;
    for (const id of expireIncidents(this.#live, network, clock.nowMs).edgeIds) this.#waiting.add(id);
    if (this.#waiting.size === 0) return;
    const changes = edgeChanges(this.#live, network, this.#waiting);
    this.#waiting.clear();
    const before = this.#metric;
    this.#metric = applyChanges(network, before, changes, before.version + 1);
    const { tilesetId, version } = this.#metric;
    const announcement = {
      ...{ tilesetId, version, cells: [], objectKeys: [], edgeIds: [], reasons: [], whole: false },
      ...{ causedMs: clock.nowMs, publishedMs: clock.nowMs },
    };
    this.#listener?.({ before, after: this.#metric, announcement });
  }

  #take({ speeds, incidents }: TrafficOutput): void {
    const { network, clock, onIncident } = this.#options;
    const wait = (edgeIds: Iterable<string>): void => {
      for (const id of edgeIds) this.#waiting.add(id);
    };
    for (const message of speeds) wait(applySpeeds(this.#live, network, message).edgeIds);
    for (const message of incidents) {
      onIncident(message, clock.nowMs);
      wait(applyIncident(this.#live, network, message, clock.nowMs).edgeIds);
    }
  }
}
