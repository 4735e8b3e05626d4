import type { LogRecord } from '#platform/event-log/event-log.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { RouteBody } from '#schemas/nav-stream.js';
import { ClosureJudge } from '../streams/closure-judge.js';
import { MetricHistory } from './metric-history.js';
import type { PlatformWorld } from './platform-world.js';
import { differingEdges, rebuildMetric } from './rebuild-metric.js';
import type { PhoneWitness } from './simulated-phones.js';

/** What does not hold, and when it was seen. */
export interface Broken {
  readonly atMs: number;
  readonly what: string;
}

const brokenMax = 20;

/** Compares what phones and the log see with what must hold, while the platform runs and at its end. */
export class PlatformJudge implements PhoneWitness {
  readonly broken: Broken[] = [];
  readonly closures: ClosureJudge;
  /** Routes that reached a phone. */
  routes = 0;
  readonly #world: PlatformWorld;
  readonly #history: MetricHistory;
  /** Points of each acknowledged batch, by user and batch id. */
  readonly #acknowledged = new Map<string, number>();
  /** By topic, what to do with a record. */
  readonly #heard: ReadonlyMap<string, (value: Uint8Array) => void>;

  constructor(world: PlatformWorld) {
    const { codecs, network, objects, clock } = world;
    this.#world = world;
    this.closures = new ClosureJudge(network);
    this.#history = new MetricHistory(network);
    const { trafficIncidentChanged, trafficEdgeObserved, roadMetricCustomized, deadLetter } = codecs;
    this.#heard = new Map<string, (value: Uint8Array) => void>([
      [
        trafficIncidentChanged.topic.name,
        (value) => {
          const before = this.closures.found.length;
          this.closures.hear(trafficIncidentChanged.decode(value), clock.nowMs);
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
          this.#history.announced(announcement, (key) => {
            const bytes = objects.peek(key);
            if (bytes === undefined)
              this.#break(`Version ${announcement.version} names ${key}, which is gone.`);
            return bytes ?? new Uint8Array();
          });
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
    const { network } = this.#world;
    const closed = this.#history.closedIn(version);
    if (closed === undefined) {
      this.#break(`A phone got a route of version ${version} of the metric, which nobody announced.`);
      return;
    }
    const wrong = edgeIds.slice(1, -1).find((id) => closed.has(network.edgeByStableId(id) ?? -1));
    if (wrong !== undefined)
      this.#break(`A phone got a route over ${wrong}, which version ${version} of the metric closes.`);
  }

  /** Whether every copy of the metric is what the log makes of empty roads. */
  metricsAgree(): boolean {
    return this.#wrongMetrics().length === 0;
  }

  /** After the faults, when nothing is in flight. */
  end(): void {
    for (const what of [...this.#wrongMetrics(), ...this.#wrongBatches()]) this.#break(what);
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
