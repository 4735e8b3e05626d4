import type { LogRecord } from '#platform/event-log/event-log.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import { closesDriving, type IncidentChanged } from '#schemas/messages.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import { ClosureCheck } from '../streams/closure-check.js';
import { MetricHistory } from './metric-history.js';
import type { PlatformWorld } from './platform-world.js';
import { differingEdges, rebuildMetric } from './rebuild-metric.js';
import type { PhoneObserver } from './simulated-phones.js';

/** What does not hold, and when it was seen. */
export interface Broken {
  readonly atMs: number;
  readonly what: string;
}

const brokenMax = 20;
/**
 * A closure is in the metric, or nothing is routed, within five seconds of its reading. Under faults both it
 * and the route may be five more seconds on their way.
 */
const knownWithinMs = 20_000;

/** Compares what phones and the log see with what must hold, while the platform runs and at its end. */
export class PlatformCheck implements PhoneObserver {
  readonly broken: Broken[] = [];
  readonly closures: ClosureCheck;
  /** Routes that reached a phone, and the edges of the last one. */
  routes = 0;
  lastRoute: readonly string[] | undefined;
  /** Closures that hold, with the time at which the log had them. */
  readonly #incidents = new Map<string, { readonly incident: IncidentChanged; readonly sinceMs: number }>();
  /** Incidents that the log has, over or not. */
  readonly #known = new Set<string>();
  readonly #world: PlatformWorld;
  readonly #history: MetricHistory;
  /** Points of each acknowledged batch, by user and batch id. */
  readonly #acknowledged = new Map<string, number>();
  /** By topic, what to do with a record. */
  readonly #heard: ReadonlyMap<string, (value: Uint8Array) => void>;

  constructor(world: PlatformWorld) {
    const { codecs, network, objects, clock } = world;
    this.#world = world;
    this.closures = new ClosureCheck(network);
    this.#history = new MetricHistory(network);
    const { trafficIncidentChanged, trafficEdgeObserved, roadMetricCustomized, deadLetter } = codecs;
    this.#heard = new Map<string, (value: Uint8Array) => void>([
      [
        trafficIncidentChanged.topic.name,
        (value) => {
          const before = this.closures.found.length;
          const incident = trafficIncidentChanged.decode(value);
          this.#note(incident);
          this.closures.hear(incident, clock.nowMs);
          for (const { edge, truth, evidence } of this.closures.found.slice(before))
            if (truth === undefined)
              this.#break(`The open road ${network.edgeId(edge)} was listed as closed: ${evidence}`);
        },
      ],
      [trafficEdgeObserved.topic.name, (value) => this.closures.observe(trafficEdgeObserved.decode(value))],
      [
        roadMetricCustomized.topic.name,
        (value) => {
          const announcement = roadMetricCustomized.decode(value);
          const cells = announcement.objectKeys.map((key) => objects.peek(key));
          if (!this.#history.announced(announcement, cells))
            this.#break(`Version ${announcement.version} of the metric names an object that is gone.`);
        },
      ],
      [
        deadLetter.topic.name,
        (value) => {
          const { group, topic, cause } = deadLetter.decode(value);
          this.#break(`The group ${group} gave up a record of ${topic}: ${cause}`);
        },
      ],
    ]);
  }

  recorded(topic: string, { value }: LogRecord): void {
    if (value !== null) this.#heard.get(topic)?.(value);
  }

  acknowledged(userId: string, batchId: string, points: number): void {
    this.#acknowledged.set(`${userId} ${batchId}`, points);
  }

  get versions(): number {
    return this.#history.current.version;
  }

  get batches(): number {
    return this.#acknowledged.size;
  }

  /** The first and the last edge of a route are where the driver and the destination are, closed or not. */
  routed({ edge_ids: edgeIds, metric_version: version }: RouteBody): void {
    this.routes++;
    this.lastRoute = edgeIds;
    const { network, clock } = this.#world;
    const between = edgeIds.slice(1, -1);
    const closed = this.#history.closedIn(version);
    if (closed === undefined)
      this.#break(`A phone got a route of version ${version} of the metric, which nobody announced.`);
    const wrong = between.find((id) => closed?.has(network.edgeByStableId(id) ?? -1));
    if (wrong !== undefined)
      this.#break(`A phone got a route over ${wrong}, which version ${version} of the metric closes.`);
    const used = new Set(between);
    for (const { incident, sinceMs } of this.#incidents.values()) {
      if (clock.nowMs - sinceMs < knownWithinMs) continue;
      if (incident.expiresMs !== 0 && clock.nowMs >= incident.expiresMs) continue;
      const late = incident.edgeIds.find((id) => used.has(id));
      if (late !== undefined)
        this.#break(`A phone got a route over ${late}, which ${incident.incidentId} had closed long before.`);
    }
  }

  #note(incident: IncidentChanged): void {
    const { incidentId, active, kind } = incident;
    if (!active || !closesDriving(kind)) this.#incidents.delete(incidentId);
    else if (!this.#incidents.has(incidentId))
      this.#incidents.set(incidentId, { incident, sinceMs: this.#world.clock.nowMs });
    this.#known.add(incidentId);
  }

  /** Whether every copy of the metric is what the log makes of empty roads. */
  metricsAgree(): boolean {
    return this.#wrongMetrics().length === 0;
  }

  /** After the faults, when nothing is in flight. */
  atRest(): void {
    for (const what of this.#wrongMetrics()) this.#break(what);
  }

  /** What was acknowledged is in the log. */
  end(acknowledgedIncidents: readonly string[]): void {
    const lost = acknowledgedIncidents
      .filter((id) => !this.#known.has(id))
      .map((id) => `The incident ${id} was acknowledged and is not in the log.`);
    for (const what of [...this.#wrongBatches(), ...lost]) this.#break(what);
  }

  #wrongMetrics(): string[] {
    const { network, followers, clock } = this.#world;
    const rebuilt = rebuildMetric(this.#world, clock.nowMs);
    const copies: (readonly [string, Metric])[] = [['published', this.#history.current]];
    for (const [name, { current }] of followers) copies.push([name, current]);
    return copies.flatMap(([name, metric]) => {
      const edges = differingEdges(network, metric, rebuilt);
      return edges.length === 0
        ? []
        : [`The metric "${name}" differs from the log's on ${edges.length} edges, such as ${edges[0]}.`];
    });
  }

  /** Every acknowledged batch is in the log; what was sent twice is the same both times. */
  #wrongBatches(): string[] {
    const { log, codecs } = this.#world;
    const { locationBatchRecorded } = codecs;
    const recorded = new Map<string, number>();
    const wrong: string[] = [];
    for (const { key, value } of log.records(locationBatchRecorded.topic.name)) {
      const { batchId, points } = locationBatchRecorded.decode(value!);
      const id = `${key} ${batchId}`;
      const before = recorded.get(id);
      if (before !== undefined && before !== points.count)
        wrong.push(`The batch ${id} is in the log with ${before} and with ${points.count} points.`);
      recorded.set(id, points.count);
    }
    for (const [id, points] of this.#acknowledged)
      if (recorded.get(id) !== points)
        wrong.push(
          `The batch ${id} of ${points} points was acknowledged; the log has ${recorded.get(id) ?? 0}.`,
        );
    return wrong;
  }

  #break(what: string): void {
    if (this.broken.length < brokenMax) this.broken.push({ atMs: this.#world.clock.nowMs, what });
  }
}
