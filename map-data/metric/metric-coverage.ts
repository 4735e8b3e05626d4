import type { EventLog } from '#platform/event-log/event-log.js';
import { type Follower, followTopic } from '#platform/event-log/follow-topic.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { TopicCodec } from '#platform/wire/topic-codec.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { CLOSED, type Metric, msAtSpeed } from '#routing-engine/overlay/metric.js';
import { closesDriving, type IncidentChanged, incidentKind } from '#schemas/messages.js';
import { incidentEdges } from './incident-edges.js';
import type { MetricFollower } from './metric-follower.js';

/**
 * A new incident is in the metric within a second or two. If it is not after this long, the writer of the
 * metric is unavailable, and refusing to answer is better than a route over a closed road.
 */
const onItsWayMs = 5_000;
/** The same limit as in the group `customization`, which refuses more. */
const incidentsMax = 100_000;

export interface MetricCoverageOptions {
  readonly network: RoadNetwork;
  readonly log: EventLog;
  readonly codec: TopicCodec<IncidentChanged>;
  readonly metric: Pick<MetricFollower, 'current' | 'publishedMs' | 'damage'>;
  /** Unique among all programs that follow. */
  readonly instanceId: string;
  readonly logger: Logger;
  /** Unix milliseconds, by which incidents expire; `Date.now` when absent. */
  readonly clock?: () => number;
  /** Milliseconds of a monotonic clock; `performance.now` when absent. */
  readonly monotonic?: () => number;
}

interface Expected {
  readonly incidentId: string;
  readonly edges: readonly number[];
  /** Minimum state of the metric, by edge. */
  readonly leastMs: readonly number[];
  readonly isBlocked: boolean;
  readonly expiresMs: number;
  /** Monotonic milliseconds at which it was read; -Infinity for an incident read at the start. */
  readonly sinceMs: number;
}

/**
 * Whether the current metric has every active incident of the log. Until then it must not be used for routes:
 * a stored metric that is damaged, lost or outdated looks like empty roads.
 *
 * ```ts
 * const coverage = await MetricCoverage.open({ network, log, codec, metric, instanceId, logger });
 * const gap = coverage.gap();
 * if (gap !== undefined) throw new RoutesUnavailable(gap);
 * ```
 */
export class MetricCoverage {
  readonly #options: MetricCoverageOptions;
  readonly #expected = new Map<string, Expected>();
  #follower: Follower | undefined;
  #isRead = false;
  /** The metric for which `#missing` was computed; undefined if an incident has changed since. */
  #checked: Metric | undefined;
  #missing: readonly Expected[] = [];
  /** Undefined when an incident changed since. */
  #blocked: { readonly edges: readonly number[]; readonly untilMs: number } | undefined;

  /** Resolves when the incidents of the log have been read. */
  static async open(options: MetricCoverageOptions): Promise<MetricCoverage> {
    const coverage = new MetricCoverage(options);
    const { log, logger, codec, instanceId } = options;
    coverage.#follower = await followTopic({
      ...{ log, logger, codec, instanceId: `metric-coverage-${instanceId}` },
      from: 'beginning',
      apply: (incidents) => {
        for (const incident of incidents) coverage.#apply(incident);
      },
    });
    await coverage.#follower.ready;
    coverage.#isRead = true;
    return coverage;
  }

  private constructor(options: MetricCoverageOptions) {
    this.#options = options;
  }

  /** Why the current metric must not be used, for people; undefined if it has every active incident. */
  gap(): string | undefined {
    const { metric } = this.#options;
    const { current, damage } = metric;
    if (damage !== undefined && metric.publishedMs === undefined) return damage;
    if (this.#checked !== current) {
      this.#missing = [...this.#expected.values()].filter((each) => !isIn(current, each));
      this.#checked = current;
    }
    const missing = this.#missing.find((each) => this.#isDue(each, damage !== undefined));
    if (missing === undefined) return undefined;
    return damage ?? `The driving metric does not have the incident ${missing.incidentId} yet.`;
  }

  /** Edges that an active incident closes for every mode; the same array until that changes. */
  blocked(): readonly number[] {
    const { clock = Date.now } = this.#options;
    const nowMs = clock();
    if (this.#blocked === undefined || nowMs >= this.#blocked.untilMs) {
      const active = [...this.#expected.values()].filter(
        ({ isBlocked, expiresMs }) => isBlocked && (expiresMs === 0 || expiresMs > nowMs),
      );
      this.#blocked = {
        edges: active.flatMap(({ edges }) => edges),
        untilMs: Math.min(...active.map(({ expiresMs }) => expiresMs || Number.POSITIVE_INFINITY)),
      };
    }
    return this.#blocked.edges;
  }

  async close(): Promise<void> {
    await this.#follower?.close();
  }

  #apply(incident: IncidentChanged): void {
    const { network, monotonic = () => performance.now() } = this.#options;
    const { incidentId, active, kind, speedKph, expiresMs } = incident;
    const before = this.#expected.get(incidentId);
    this.#expected.delete(incidentId);
    this.#checked = undefined;
    this.#blocked = undefined;
    const isClosed = closesDriving(kind);
    const isSlow = kind === incidentKind.slow && speedKph > 0;
    if (!active || !(isClosed || isSlow) || this.#expected.size >= incidentsMax) return;
    const edges = incidentEdges(network, incident);
    const leastMs = edges.map((edge) => (isClosed ? CLOSED : msAtSpeed(network, edge, speedKph)));
    const sinceMs = this.#isRead ? monotonic() : Number.NEGATIVE_INFINITY;
    const now = { incidentId, edges, leastMs, isBlocked: kind === incidentKind.blocked, expiresMs, sinceMs };
    // The same record again is no reason to wait longer.
    this.#expected.set(incidentId, before !== undefined && isSame(before, now) ? before : now);
  }

  #isDue({ expiresMs, sinceMs }: Expected, isDamaged: boolean): boolean {
    const { clock = Date.now, monotonic = () => performance.now() } = this.#options;
    if (expiresMs !== 0 && expiresMs <= clock()) return false;
    return isDamaged || monotonic() - sinceMs >= onItsWayMs;
  }
}

const isIn = ({ costMs }: Metric, { edges, leastMs }: Expected): boolean =>
  edges.every((edge, i) => costMs[edge]! >= leastMs[i]!);

const isSame = (a: Expected, b: Expected): boolean =>
  a.expiresMs === b.expiresMs &&
  a.isBlocked === b.isBlocked &&
  a.edges.length === b.edges.length &&
  a.edges.every((edge, i) => edge === b.edges[i] && a.leastMs[i] === b.leastMs[i]);
