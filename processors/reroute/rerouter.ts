import type { Logger } from '#platform/telemetry/logger.js';
import type { Metric } from '#routing-engine/metric.js';
import type { RouteChanged } from '#schemas/messages.js';
import type { MetricFollower } from '#tile-builder/metric-follower.js';
import type { Counts } from '../counts.js';
import { searchesAtOnce, searchesPerTick, searchFailuresMax } from '../limits.js';
import type { ActiveNavigations } from './active-navigations.js';
import { affectedNavigations } from './affected-navigations.js';
import type { Landmarks } from './landmarks.js';
import { type MetricNews, type RerouteStepOptions, rerouteStep } from './reroute-step.js';

export interface RerouterOptions extends RerouteStepOptions {
  readonly metric: Pick<MetricFollower, 'current' | 'onChange'>;
  /** Undefined until they are computed: then better roads concern everybody. */
  readonly landmarks: () => Landmarks | undefined;
  readonly counts: Counts;
  readonly logger: Logger;
}

/** What one partition has still to do. */
interface Part {
  /** The version whose effects were looked at; undefined after a start, when nothing is known of what changed. */
  metric: Metric | undefined;
  /** Users to be searched again, with what is known about why. */
  readonly waiting: Map<string, Waiting>;
  /** Users whose route came from elsewhere since the last look. */
  readonly begun: Set<string>;
}

interface Waiting extends MetricNews {
  readonly failures: number;
}

/** A search that no version caused. */
const noNews: MetricNews = { causedMs: Number.POSITIVE_INFINITY, reasons: [] };

/** Versions whose news is remembered for partitions that have not looked yet. */
const newsMax = 256;

/** Looks at new versions of the metric partition by partition, between their records. */
export class Rerouter {
  readonly #options: RerouterOptions;
  readonly #parts = new Map<number, Part>();
  readonly #news: (MetricNews & { readonly version: number })[] = [];
  readonly #unsubscribe: () => void;
  #begun = false;

  constructor(options: RerouterOptions) {
    this.#options = options;
    this.#unsubscribe = options.metric.onChange(({ after, announcement }) => {
      const { causedMs, reasons } = announcement;
      this.#news.push({ version: after.version, causedMs, reasons });
      if (this.#news.length > newsMax) this.#news.shift();
    });
  }

  /** What was in the log has been read; decisions of an earlier run are known and will not be taken twice. */
  begin(): void {
    this.#begun = true;
  }

  close(): void {
    this.#unsubscribe();
  }

  /** A navigation began, or got a route that is not ours. */
  meet(partition: number, userId: string): void {
    if (this.#begun) this.#part(partition).begun.add(userId);
  }

  /**
   * Decisions for the navigations of one partition; they are in the state already. At most `searchesPerTick` at once,
   * so that positions keep coming in; the rest waits for the next look.
   */
  async look(partition: number, navigations: ActiveNavigations): Promise<readonly RouteChanged[]> {
    if (!this.#begun) return [];
    const part = this.#part(partition);
    const metric = this.#options.metric.current;
    this.#meet(part, navigations);
    if (part.metric !== metric) this.#gather(part, navigations, metric);
    const users = [...part.waiting.keys()].slice(0, searchesPerTick);
    const decided: RouteChanged[] = [];
    for (let i = 0; i < users.length; i += searchesAtOnce) {
      const found = await Promise.all(
        users.slice(i, i + searchesAtOnce).map((userId) => this.#search(part, navigations, userId, metric)),
      );
      decided.push(...found.filter((change) => change !== undefined));
    }
    for (const change of decided) navigations.reroute(change);
    this.#options.counts.add('pushed', decided.length);
    return decided;
  }

  #part(partition: number): Part {
    const known = this.#parts.get(partition);
    if (known !== undefined) return known;
    const part: Part = { metric: undefined, waiting: new Map(), begun: new Set() };
    this.#parts.set(partition, part);
    return part;
  }

  /** A route that was searched on another version than the one that is looked from may be bettered by it. */
  #meet(part: Part, navigations: ActiveNavigations): void {
    for (const userId of part.begun) {
      const navigation = navigations.of(userId);
      if (navigation === undefined || navigation.metricVersion === part.metric?.version) continue;
      navigations.proved(userId, Number.POSITIVE_INFINITY);
      if (part.metric !== undefined) part.waiting.set(userId, earlier(part.waiting.get(userId), noNews));
    }
    part.begun.clear();
  }

  #gather(part: Part, navigations: ActiveNavigations, metric: Metric): void {
    const { network, counts, clock, settings, landmarks } = this.#options;
    const before = part.metric;
    const heard = this.#news.filter(
      ({ version }) => version > (before?.version ?? -1) && version <= metric.version,
    );
    const news: MetricNews = {
      causedMs: heard.length === 0 ? clock() : Math.min(...heard.map(({ causedMs }) => causedMs)),
      reasons: heard.flatMap(({ reasons }) => reasons),
    };
    // After a start nobody knows what each route was searched on, so each is looked at once.
    const affected =
      before === undefined
        ? new Set(navigations.all())
        : affectedNavigations({
            ...{ network, navigations, before, after: metric, settings },
            landmarks: landmarks(),
          });
    for (const { userId } of affected) {
      if (!part.waiting.has(userId)) counts.add('affected');
      part.waiting.set(userId, earlier(part.waiting.get(userId), news));
    }
    part.metric = metric;
  }

  async #search(
    part: Part,
    navigations: ActiveNavigations,
    userId: string,
    metric: Metric,
  ): Promise<RouteChanged | undefined> {
    const news = part.waiting.get(userId)!;
    part.waiting.delete(userId);
    const navigation = navigations.of(userId);
    if (navigation === undefined) return undefined;
    const { counts, logger } = this.#options;
    counts.add('searched');
    try {
      const known = Number.isFinite(news.causedMs) ? news : { ...news, causedMs: this.#options.clock() };
      const { change, slackMs } = await rerouteStep(navigation, metric, known, this.#options);
      navigations.proved(userId, slackMs);
      return change;
    } catch (error) {
      // The pool is full or a worker died: the next look tries again, but not for ever.
      const failures = news.failures + 1;
      if (failures < searchFailuresMax) part.waiting.set(userId, { ...news, failures });
      else {
        counts.add('failed');
        logger.error('a navigation could not be searched again', { cause: (error as Error).message });
      }
      return undefined;
    }
  }
}

function earlier(known: Waiting | undefined, news: MetricNews): Waiting {
  if (known === undefined) return { ...news, failures: 0 };
  return {
    failures: 0,
    causedMs: Math.min(known.causedMs, news.causedMs),
    reasons: [...known.reasons, ...news.reasons],
  };
}
