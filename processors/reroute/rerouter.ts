import type { MetricFollower } from '#map-data/metric/metric-follower.js';
import type { Logger } from '#platform/telemetry/logger.js';
import { carryTrace, traced, traceOf, tracing } from '#platform/telemetry/tracing.js';
import type { Metric } from '#routing-engine/overlay/metric.js';
import type { FoundRoute } from '#routing-engine/tasks/route-task.js';
import type { RouteChanged } from '#schemas/messages.js';
import type { Counts } from '../counts.js';
import {
  searchesAtOnce,
  searchesPerTick,
  searchFailuresMax,
  sharedRoutes,
  tracesMax,
  unreachablePollMs,
} from '../limits.js';
import type { ActiveNavigation, ActiveNavigations } from './active-navigations.js';
import { affectedNavigations, type MetricDifference, metricDifference } from './affected-navigations.js';
import type { Landmarks } from './landmarks.js';
import {
  decideOn,
  type MetricChange,
  type RerouteStepOptions,
  type RoutesAhead,
  searchRoutesAhead,
} from './reroute-step.js';
import { SentDrivers } from './sent-drivers.js';
import { arrivals, isCrowded, leastCrowded } from './share-routes.js';

/** What the group `reroute` counts. */
export const rerouteOutcomes = [
  'sessions',
  'moved',
  'affected',
  'searched',
  'failed',
  'pushed',
  'unreachable',
] as const;

export type RerouteCounts = Counts<(typeof rerouteOutcomes)[number]>;

export interface RerouterOptions extends RerouteStepOptions {
  readonly metric: Pick<MetricFollower, 'current' | 'onChange'>;
  /** Why the current metric must not be searched; undefined if it may be. */
  readonly gap: () => string | undefined;
  /** Undefined until they are computed: until then, better roads affect every navigation. */
  readonly landmarks: () => Landmarks | undefined;
  readonly counts: RerouteCounts;
  readonly logger: Logger;
}

/** The pending work of one partition. */
interface Part {
  /** The version whose effects were applied; undefined after a start, when the changes are unknown. */
  metric: Metric | undefined;
  /** Users whose route must be searched again, with the causes. */
  readonly waiting: Map<string, Waiting>;
  /** Users whose route was set by another process since the last search. */
  readonly begun: Set<string>;
  /** When drivers without a route were last checked. */
  unreachableMs: number;
}

interface Waiting extends MetricChange {
  readonly failures: number;
}

interface Search {
  readonly navigation: ActiveNavigation;
  readonly cause: Waiting;
}

/** A search that no version caused. */
const noChange: MetricChange = { causedMs: Number.POSITIVE_INFINITY, reasons: [] };

/** Versions whose causes are stored for partitions that have not applied them yet. */
const changesMax = 256;

/** Applies new versions of the metric partition by partition, between their records. */
export class Rerouter {
  readonly #options: RerouterOptions;
  readonly #parts = new Map<number, Part>();
  readonly #changes: (MetricChange & { readonly version: number })[] = [];
  readonly #sent: SentDrivers;
  readonly #unsubscribe: () => void;
  #begun = false;
  #difference: (MetricDifference & { readonly before: Metric; readonly after: Metric }) | undefined;

  constructor(options: RerouterOptions) {
    this.#options = options;
    this.#sent = new SentDrivers(1_000 * options.settings.headwayS);
    this.#unsubscribe = options.metric.onChange(({ after, announcement }) => {
      const { causedMs, reasons } = announcement;
      const trace = tracing()?.current();
      const traces = trace === undefined ? [] : [trace];
      this.#changes.push({ version: after.version, causedMs, reasons, traces });
      if (this.#changes.length > changesMax) this.#changes.shift();
    });
  }

  /** The log has been read, so decisions of an earlier run are known and not repeated. */
  begin(): void {
    this.#begun = true;
  }

  close(): void {
    this.#unsubscribe();
  }

  /** A navigation started, or got a route that is not ours. */
  meet(partition: number, userId: string): void {
    if (this.#begun) this.#part(partition).begun.add(userId);
  }

  /**
   * Decisions for the navigations of one partition; the state already has them. At most `searchesPerTick` per
   * poll, so that positions are still processed; the rest waits.
   */
  async look(partition: number, navigations: ActiveNavigations): Promise<readonly RouteChanged[]> {
    if (!this.#begun || this.#options.gap() !== undefined) return [];
    const part = this.#part(partition);
    const metric = this.#options.metric.current;
    this.#meet(part, navigations);
    if (part.metric !== metric) this.#gather(part, navigations, metric);
    this.#retryUnreachable(part, navigations);
    const users = [...part.waiting.keys()].slice(0, searchesPerTick);
    const decided: RouteChanged[] = [];
    for (let i = 0; i < users.length; i += searchesAtOnce)
      decided.push(...(await this.#decide(part, navigations, users.slice(i, i + searchesAtOnce), metric)));
    return decided;
  }

  #part(partition: number): Part {
    const known = this.#parts.get(partition);
    if (known !== undefined) return known;
    const part: Part = { metric: undefined, waiting: new Map(), begun: new Set(), unreachableMs: 0 };
    this.#parts.set(partition, part);
    return part;
  }

  /** A route that was searched on another version may be improved by the current one. */
  #meet(part: Part, navigations: ActiveNavigations): void {
    for (const userId of part.begun) {
      const navigation = navigations.of(userId);
      if (navigation === undefined || navigation.metricVersion === part.metric?.version) continue;
      navigations.proved(userId, Number.POSITIVE_INFINITY);
      if (part.metric !== undefined) part.waiting.set(userId, earlier(part.waiting.get(userId), noChange));
    }
    part.begun.clear();
  }

  /** A driver without a route may have moved to where there is one, although the roads did not change. */
  #retryUnreachable(part: Part, navigations: ActiveNavigations): void {
    const nowMs = this.#options.clock();
    if (Math.abs(nowMs - part.unreachableMs) < unreachablePollMs) return;
    part.unreachableMs = nowMs;
    for (const userId of navigations.unreachableAndMoved())
      part.waiting.set(userId, earlier(part.waiting.get(userId), noChange));
  }

  #gather(part: Part, navigations: ActiveNavigations, metric: Metric): void {
    const { network, counts, clock, settings, landmarks } = this.#options;
    const before = part.metric;
    const recent = this.#changes.filter(
      ({ version }) => version > (before?.version ?? -1) && version <= metric.version,
    );
    const cause: MetricChange = {
      causedMs: recent.length === 0 ? clock() : Math.min(...recent.map(({ causedMs }) => causedMs)),
      reasons: recent.flatMap(({ reasons }) => reasons),
      traces: recent.flatMap(({ traces = [] }) => traces).slice(0, tracesMax),
    };
    // After a start it is unknown on which version each route was searched, so each is checked once.
    const affected =
      before === undefined
        ? new Set(navigations.all())
        : affectedNavigations({
            ...{ network, navigations, before, after: metric, settings },
            difference: this.#differenceOf(before, metric),
            landmarks: landmarks(),
          });
    for (const { userId } of affected) {
      if (!part.waiting.has(userId)) counts.add('affected');
      part.waiting.set(userId, earlier(part.waiting.get(userId), cause));
    }
    part.metric = metric;
  }

  /** All partitions apply the same versions, one shortly after the other. */
  #differenceOf(before: Metric, after: Metric): MetricDifference {
    const known = this.#difference;
    if (known?.before === before && known.after === after) return known;
    const difference = metricDifference(this.#options.network, before, after);
    this.#difference = { ...difference, before, after };
    return this.#difference;
  }

  /**
   * First the best route of each, then alternatives for those whose best route is crowded. The fixed order
   * makes a replay equal.
   */
  async #decide(
    part: Part,
    navigations: ActiveNavigations,
    users: readonly string[],
    metric: Metric,
  ): Promise<readonly RouteChanged[]> {
    const { clock, settings, counts } = this.#options;
    const nowMs = clock();
    const searches: Search[] = [];
    for (const userId of users) {
      const cause = part.waiting.get(userId)!;
      part.waiting.delete(userId);
      const navigation = navigations.of(userId);
      if (navigation !== undefined) searches.push({ navigation, cause });
    }
    counts.add('searched', searches.length);
    const decided: RouteChanged[] = [];
    const finish = (
      { navigation, cause }: Search,
      ahead: RoutesAhead,
      route: FoundRoute | undefined,
    ): void => {
      const known = Number.isFinite(cause.causedMs) ? cause : { ...cause, causedMs: nowMs };
      const { change, slackMs } = decideOn(ahead, route, known, this.#options);
      if (change !== undefined) {
        carryTrace(change, traceOf(ahead));
        if (route !== undefined) this.#sent.send(arrivals(ahead, route, nowMs), nowMs);
        counts.add(change.unreachable ? 'unreachable' : 'pushed');
        navigations.reroute(change);
        decided.push(change);
      } else if (ahead.noRoute !== undefined) navigations.stillUnreachable(navigation.userId);
      navigations.proved(navigation.userId, slackMs);
    };
    const best = await Promise.all(searches.map((search) => this.#search(part, search, metric, 0)));
    const crowded: Search[] = [];
    for (const [i, ahead] of best.entries()) {
      if (ahead === undefined) continue;
      if (isCrowded(ahead, this.#sent, nowMs, settings)) crowded.push(searches[i]!);
      else finish(searches[i]!, ahead, ahead.routes[0]);
    }
    const others = await Promise.all(
      crowded.map((search) => this.#search(part, search, metric, sharedRoutes - 1)),
    );
    for (const [i, ahead] of others.entries())
      if (ahead !== undefined) finish(crowded[i]!, ahead, leastCrowded(ahead, this.#sent, nowMs, settings));
    return decided;
  }

  /** Undefined when the search failed; it is retried with the next records. */
  async #search(
    part: Part,
    { navigation, cause }: Search,
    metric: Metric,
    alternatives: number,
  ): Promise<RoutesAhead | undefined> {
    try {
      return await traced('search reroute', { causes: cause.traces ?? [] }, async () => {
        const ahead = await searchRoutesAhead(navigation, metric, this.#options, alternatives);
        carryTrace(ahead);
        return ahead;
      });
    } catch (error) {
      const { counts, logger } = this.#options;
      // The pool is full or a worker died: retried with the next records, a limited number of times.
      const failures = cause.failures + 1;
      if (failures < searchFailuresMax) part.waiting.set(navigation.userId, { ...cause, failures });
      else {
        counts.add('failed');
        logger.error('a navigation could not be searched again', { cause: (error as Error).message });
      }
      return undefined;
    }
  }
}

function earlier(known: Waiting | undefined, cause: MetricChange): Waiting {
  if (known === undefined) return { ...cause, failures: 0 };
  return {
    failures: 0,
    causedMs: Math.min(known.causedMs, cause.causedMs),
    reasons: [...known.reasons, ...cause.reasons],
    traces: [...(known.traces ?? []), ...(cause.traces ?? [])].slice(0, tracesMax),
  };
}
