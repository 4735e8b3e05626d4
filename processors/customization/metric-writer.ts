import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { carryTrace, traced, tracing } from '#platform/telemetry/tracing.js';
import { openEdges } from '#routing-engine/hours/open-edges.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { freeFlowMetric } from '#routing-engine/overlay/metric.js';
import type { MetricCustomized } from '#schemas/messages.js';
import type { Counts } from '../counts.js';
import { reasonsMax, replacedKeptMs, restoreCellsMax, restoreEveryMs, tracesMax } from '../limits.js';
import {
  edgeChanges,
  expireCarried,
  expireIncidents,
  type LiveRoads,
  noRoads,
  type RoadChange,
} from './live-roads.js';
import { MetricConflict, MetricPublisher, MetricSuperseded } from './publish-metric.js';

/** What the group `customization` counts. */
export const customizationOutcomes = [
  'versions',
  'cells',
  'conflicts',
  'superseded',
  'rebuilt',
  'restored',
] as const;

export interface MetricWriterOptions {
  readonly network: RoadNetwork;
  readonly objects: ObjectStore;
  readonly clock: () => number;
  readonly logger: Logger;
  readonly counts: Counts<(typeof customizationOutcomes)[number]>;
  /** Newest version that the log has announced; 0 where it has none. */
  readonly announcedVersion: () => Promise<number>;
}

/** Edges that changed since the last version, with the reason. */
interface Waiting {
  readonly edgeIds: Set<string>;
  readonly reasons: Set<string>;
  /** `traceparent` of the sampled work among the causes. */
  readonly traces: Set<string>;
  causedMs: number;
}

/**
 * Collects the changes of the partitions into versions. The metric follows from the live state of the
 * partitions. At the start, and whenever another process has written in between, every edge of either is
 * compared. So no crash between a version and an offset leaves an edge wrong, and neither does a stored
 * metric that is damaged, lost or outdated.
 */
export class MetricWriter {
  readonly #options: MetricWriterOptions;
  readonly #parts = new Map<number, LiveRoads>();
  #waiting: Waiting = nothingWaits();
  #publisher: MetricPublisher | undefined;
  /** Versions whose announcement a crash may have lost. */
  #unannounced: MetricCustomized[] = [];
  #restoredMs = Number.NEGATIVE_INFINITY;
  /**
   * Of the edges that are open at some hours only, those that are open in the metric once all is published.
   */
  #openNow: ReadonlySet<number> = new Set();
  #begun = false;
  /** Another process writes now. When this one leads again, it reads the complete log. */
  #superseded = false;

  constructor(options: MetricWriterOptions) {
    this.#options = options;
  }

  /** Everything that was in the log has been read: from now on versions may be made. */
  begin(): void {
    this.#begun = true;
  }

  /** The state of a partition, which a restart may have replaced. */
  meet(partition: number, roads: LiveRoads): void {
    this.#parts.set(partition, roads);
  }

  take(partition: number, roads: LiveRoads, { edgeIds, reasons }: RoadChange, causedMs: number): void {
    this.meet(partition, roads);
    if (edgeIds.size === 0) return;
    for (const id of edgeIds) this.#waiting.edgeIds.add(id);
    for (const reason of reasons)
      if (this.#waiting.reasons.size < reasonsMax) this.#waiting.reasons.add(reason);
    this.#waiting.causedMs = Math.min(this.#waiting.causedMs, causedMs);
    const trace = tracing()?.current();
    if (trace !== undefined && this.#waiting.traces.size < tracesMax) this.#waiting.traces.add(trace);
  }

  /**
   * The streams report these edges on the present roads: every partition's carried-over state of them ends.
   */
  refreshed(edgeIds: Iterable<string>): void {
    for (const id of edgeIds) for (const { carried } of this.#parts.values()) carried.delete(id);
  }

  /** Versions to announce. When it rejects, nothing is lost, and it is to be called again. */
  async publish(): Promise<readonly MetricCustomized[]> {
    if (!this.#begun || this.#superseded) return [];
    const { network, clock } = this.#options;
    await this.#open();
    for (const [partition, roads] of this.#parts) {
      this.take(partition, roads, expireIncidents(roads, network, clock()), clock());
      this.take(partition, roads, expireCarried(roads, clock()), clock());
    }
    this.#openByTheClock();
    const version = await this.#unlessAnotherWrites(async (publisher) => {
      // Everything that may fail comes first, because a version that exists must be announced.
      await this.#restore(publisher);
      await publisher.deleteReplaced();
      return this.#next(publisher);
    });
    const due = [...this.#unannounced, ...(version === undefined ? [] : [version])];
    this.#unannounced = [];
    return due;
  }

  /** The version of the pending changes, or one that repairs what is stored; undefined if there is none. */
  async #next(publisher: MetricPublisher): Promise<MetricCustomized | undefined> {
    const { network, clock, counts } = this.#options;
    const waiting = this.#waiting;
    if (waiting.edgeIds.size === 0 && !publisher.mustRewrite) return undefined;
    this.#waiting = nothingWaits();
    const { edgeIds, reasons } = waiting;
    const causedMs = Math.min(waiting.causedMs, clock());
    try {
      const changes = edgeChanges(merged(this.#parts), network, edgeIds);
      const cause = { causedMs, reasons: [...reasons], open: this.#openNow };
      const version = await traced('publish metric', { causes: [...waiting.traces] }, async () => {
        const published = await publisher.publish(changes, cause);
        if (published !== undefined) carryTrace(published);
        return published;
      });
      if (version === undefined) return undefined;
      counts.add('versions');
      counts.add('cells', version.cells.length);
      return version;
    } catch (error) {
      this.#putBack(waiting);
      throw error;
    }
  }

  /** Roads and turns that opened or were shut by their hours since the last look. */
  #openByTheClock(): void {
    const { network, clock } = this.#options;
    const nowMs = clock();
    const open = openEdges(network, 'driving', nowMs);
    if (open === this.#openNow) return;
    for (const edge of [...open, ...this.#openNow])
      if (open.has(edge) !== this.#openNow.has(edge)) {
        this.#waiting.edgeIds.add(network.edgeId(edge));
        this.#waiting.causedMs = Math.min(this.#waiting.causedMs, nowMs);
      }
    this.#openNow = open;
  }

  async #restore(publisher: MetricPublisher): Promise<void> {
    const { clock, counts, logger } = this.#options;
    const nowMs = clock();
    if (Math.abs(nowMs - this.#restoredMs) < restoreEveryMs) return;
    this.#restoredMs = nowMs;
    const objects = await publisher.restore(restoreCellsMax);
    if (objects === 0) return;
    counts.add('restored', objects);
    logger.error('objects of the stored metric had changed and are restored', { objects });
  }

  async #unlessAnotherWrites(
    write: (publisher: MetricPublisher) => Promise<MetricCustomized | undefined>,
  ): Promise<MetricCustomized | undefined> {
    const { counts, logger } = this.#options;
    try {
      return await write(this.#publisher!);
    } catch (error) {
      if (error instanceof MetricSuperseded) {
        this.#superseded = true;
        counts.add('superseded');
        logger.warn('another process is writing the metric', { cause: error.message });
        return undefined;
      }
      if (!(error instanceof MetricConflict)) throw error;
      counts.add('conflicts');
      logger.warn('a previous leader wrote once more; its version is adopted and corrected', {
        cause: error.message,
      });
      this.#publisher = undefined;
      return undefined;
    }
  }

  async #open(): Promise<void> {
    if (this.#publisher !== undefined) return;
    const { network, objects, clock, announcedVersion, counts, logger } = this.#options;
    this.#publisher = await MetricPublisher.open({
      ...{ network, objects, nowMs: clock, keepMs: replacedKeptMs, announcedVersion },
    });
    // Restores the stored objects that are in use.
    this.#restoredMs = Number.NEGATIVE_INFINITY;
    const { metric, announcement, mustRewrite } = this.#publisher;
    if (mustRewrite) {
      counts.add('rebuilt');
      logger.error('the stored metric is damaged, missing or outdated and is rebuilt from the log');
    }
    const freeFlow = freeFlowMetric(network, 'driving');
    const roads = merged(this.#parts);
    const edgeIds = new Set<string>([...roads.speeds.keys(), ...roads.carried.keys()]);
    for (const incident of roads.incidents.values()) for (const id of incident.edgeIds) edgeIds.add(id);
    for (let edge = 0; edge < network.edgeCount; edge++)
      if (metric.costMs[edge] !== freeFlow.costMs[edge]) edgeIds.add(network.edgeId(edge));
    for (const edge of this.#openNow) edgeIds.add(network.edgeId(edge));
    for (const id of edgeIds) this.#waiting.edgeIds.add(id);
    if (edgeIds.size > 0) this.#waiting.causedMs = Math.min(this.#waiting.causedMs, clock());
    if (announcement !== undefined) this.#unannounced.push(announcement);
  }

  #putBack({ edgeIds, reasons, traces, causedMs }: Waiting): void {
    for (const id of edgeIds) this.#waiting.edgeIds.add(id);
    for (const reason of reasons) this.#waiting.reasons.add(reason);
    for (const trace of traces) this.#waiting.traces.add(trace);
    this.#waiting.causedMs = Math.min(this.#waiting.causedMs, causedMs);
  }
}

function nothingWaits(): Waiting {
  return { edgeIds: new Set(), reasons: new Set(), traces: new Set(), causedMs: Number.POSITIVE_INFINITY };
}

/** An edge's speeds come from one partition and incidents from one, so the parts never disagree. */
function merged(parts: ReadonlyMap<number, LiveRoads>): LiveRoads {
  if (parts.size === 1) return parts.values().next().value!;
  const roads = noRoads();
  for (const part of parts.values()) {
    for (const [id, kph] of part.speeds) roads.speeds.set(id, kph);
    for (const [id, incident] of part.incidents) roads.incidents.set(id, incident);
    for (const [id, kph] of part.carried) roads.carried.set(id, kph);
  }
  return roads;
}
