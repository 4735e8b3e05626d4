import type { Consumer, EventLog, RecordBatch } from '#platform/event-log/event-log.js';
import { tracedStep } from '#platform/event-log/traced-step.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { Logger } from '#platform/telemetry/logger.js';
import type { Counter } from '#platform/telemetry/metrics.js';
import { type TopicCodec, UndecodableRecord } from '#platform/wire/topic-codec.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  applyCellMetrics,
  type CellMetric,
  decodeCellMetric,
  InvalidCellMetric,
} from '#routing-engine/overlay/cell-metric.js';
import { freeFlowMetric, type Metric, MetricMismatch } from '#routing-engine/overlay/metric.js';
import type { MetricCustomized } from '#schemas/messages.js';
import type { CellId } from '#schemas/units.js';
import { lastAnnounced } from './last-announced.js';
import { decodeMetricManifest, InvalidMetricManifest, isNamedBy, metricKeys } from './metric-manifest.js';

/** Refused data is read again at this interval, until its writer has repaired it. */
const retryMs = 250;

export interface MetricFollowerOptions {
  readonly network: RoadNetwork;
  readonly objects: ObjectStore;
  readonly log: EventLog;
  readonly codec: TopicCodec<MetricCustomized>;
  /** Unique among all followers: each reads every version. */
  readonly instanceId: string;
  readonly logger: Logger;
  /** Counts the versions that were refused. */
  readonly refusals?: Counter;
}

export interface MetricChange {
  readonly before: Metric;
  readonly after: Metric;
  readonly announcement: MetricCustomized;
}

export type MetricListener = (change: MetricChange) => void;

/**
 * Keeps the newest driving metric in memory: reads the complete one from the object store at the start, then
 * the changed cells of every announced version. Bytes that are corrupt, outdated, missing or of another
 * tileset are refused: the previous version stays, `damage` has the reason, and they are read again until
 * they are complete. `current` is swapped as a whole; callers keep the version that they read.
 *
 * ```ts
 * const codec = codecs.roadMetricCustomized;
 * const follower = await MetricFollower.open({ network, objects, log, codec, instanceId, logger });
 * const route = findRoute(network, follower.current, query);
 * ```
 */
export class MetricFollower {
  readonly #options: MetricFollowerOptions;
  readonly #listeners = new Set<MetricListener>();
  #current: Metric;
  #announcement: MetricCustomized | undefined;
  #refused = 0;
  /** Newest version that is known to have been published. */
  #published = 0;
  #damage: string | undefined;
  #lastRefusal: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #consumer: Consumer | undefined;
  /** Loads run one after the other: the first one and an announcement may meet. */
  #loading: Promise<void> = Promise.resolve();

  /**
   * Rejects when the log or the object store does not answer. After a refused metric, free flow stays in
   * force, which must not serve: check `damage`, or better `MetricCoverage`.
   */
  static async open(options: MetricFollowerOptions): Promise<MetricFollower> {
    const follower = new MetricFollower(options);
    try {
      await follower.#start();
    } catch (error) {
      await follower.close();
      throw error;
    }
    return follower;
  }

  private constructor(options: MetricFollowerOptions) {
    this.#options = options;
    this.#current = freeFlowMetric(options.network, 'driving');
  }

  get current(): Metric {
    return this.#current;
  }

  /** Unix milliseconds at which the current version was published; undefined at free flow. */
  get publishedMs(): number | undefined {
    return this.#announcement?.publishedMs;
  }

  /** Versions that were refused because their bytes differ from the announcement. */
  get refused(): number {
    return this.#refused;
  }

  /** Why the newest published version is not in use; undefined if it is. */
  get damage(): string | undefined {
    return this.#damage;
  }

  /** Called after each swap, in the order of versions. Returns the function that unsubscribes. */
  onChange(listener: MetricListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#retry);
    await this.#consumer?.close();
    await this.#loading.catch(() => undefined);
    this.#listeners.clear();
  }

  async #start(): Promise<void> {
    const { log, codec, instanceId, logger } = this.#options;
    const topic = codec.topic.name;
    // First the announcements, then the manifest, so that one of the two includes a version published in
    // between.
    this.#consumer = await log.consume({
      group: `metric-follower-${instanceId}`,
      topics: [topic],
      startAt: 'latest',
      onAssigned: async (partitions) => {
        const ends = new Map((await log.offsets(topic)).map(({ partition, end }) => [partition, end]));
        return partitions.map((each) => ({ ...each, offset: ends.get(each.partition) ?? 0 }));
      },
      onBatch: (batch) =>
        this.#alone(() => tracedStep('metric-follower', topic, batch.records, () => this.#take(batch))),
      onError: (error) => logger.warn('metric could not be read; retrying', { cause: error.message }),
    });
    await this.#consumer.ready;
    await this.#alone(async () => {
      this.#published = await lastAnnounced(log, codec, this.#options.network.tilesetId);
      await this.#reload();
    });
  }

  #alone(load: () => Promise<void>): Promise<void> {
    this.#loading = this.#loading.catch(() => undefined).then(load);
    return this.#loading;
  }

  async #take({ records }: RecordBatch): Promise<void> {
    for (const { value } of records) {
      const announcement = value === null ? undefined : this.#decoded(value);
      if (announcement === undefined || announcement.version <= this.#current.version) continue;
      this.#published = Math.max(this.#published, announcement.version);
      const follows = announcement.whole || announcement.version === this.#current.version + 1;
      if (!follows || !(await this.#follow(announcement))) await this.#reload();
    }
  }

  #decoded(value: Uint8Array): MetricCustomized | undefined {
    try {
      const announcement = this.#options.codec.decode(value);
      if (announcement.tilesetId === this.#options.network.tilesetId) return announcement;
      this.#refuse(new InvalidMetricManifest('A metric of another tileset was announced.'));
    } catch (error) {
      if (!(error instanceof UndecodableRecord)) throw error;
      this.#refuse(error);
    }
    return undefined;
  }

  /**
   * Applies the changed cells of the next version. False if they differ from the announcement, or were
   * deleted already.
   */
  async #follow(announcement: MetricCustomized): Promise<boolean> {
    const { cells, objectKeys, version, whole } = announcement;
    const { network } = this.#options;
    try {
      const changed = await this.#fetch(cells.map((cell, i) => [cell as CellId, objectKeys[i] ?? '']));
      const base = whole ? freeFlowMetric(network, 'driving') : this.#current;
      this.#swap(applyCellMetrics(network, base, changed, version), announcement);
      return true;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      return false;
    }
  }

  /** Reads the complete metric of the manifest. Changes nothing if there is none, or no newer one. */
  async #reload(): Promise<void> {
    const { network, objects } = this.#options;
    try {
      const bytes = await objects.get(metricKeys.current(network.tilesetId));
      const manifest = bytes === undefined ? undefined : decodeMetricManifest(bytes);
      if (manifest !== undefined && manifest.tilesetId !== network.tilesetId)
        throw new InvalidMetricManifest('The metric manifest is of another tileset.');
      if (manifest !== undefined && manifest.version > this.#current.version) {
        const cells = await this.#fetch([...manifest.cells]);
        const freeFlow = freeFlowMetric(network, 'driving');
        this.#swap(applyCellMetrics(network, freeFlow, cells, manifest.version), manifest.announcement);
      }
      if (this.#current.version < this.#published)
        throw new InvalidMetricManifest(
          `Version ${this.#published} was announced, and the manifest is ` +
            `${manifest === undefined ? 'missing' : `of version ${manifest.version}`}.`,
        );
      this.#damage = undefined;
    } catch (error) {
      if (!isUnusable(error)) throw error;
      this.#refuse(error);
      this.#damage = `The stored driving metric cannot be used and is rebuilt from the log: ${error.message}`;
      this.#retryLater();
    }
  }

  #retryLater(): void {
    clearTimeout(this.#retry);
    if (this.#closed) return;
    this.#retry = setTimeout(() => {
      this.#alone(() => (this.#damage === undefined ? Promise.resolve() : this.#reload())).catch(
        (error: Error) => {
          this.#options.logger.warn('metric could not be read; retrying', {
            cause: error.message,
          });
          this.#retryLater();
        },
      );
    }, retryMs);
  }

  async #fetch(keys: ReadonlyArray<readonly [CellId, string]>): Promise<CellMetric[]> {
    const { network, objects } = this.#options;
    return Promise.all(
      keys.map(async ([cell, key]) => {
        const bytes = await objects.get(key);
        if (bytes === undefined)
          throw new InvalidCellMetric(`The weights of cell ${cell} are not under ${key}.`);
        if (!isNamedBy(key, bytes))
          throw new InvalidCellMetric(`Under ${key} are other bytes than were written there.`);
        const weights = decodeCellMetric(network, bytes);
        if (weights.cell !== cell || weights.mode !== 'driving')
          throw new InvalidCellMetric(`Under ${key} are the weights of another cell or mode.`);
        return weights;
      }),
    );
  }

  #swap(after: Metric, announcement: MetricCustomized): void {
    const before = this.#current;
    this.#current = after;
    this.#announcement = announcement;
    this.#published = Math.max(this.#published, after.version);
    this.#damage = undefined;
    this.#lastRefusal = undefined;
    for (const listener of this.#listeners) listener({ before, after, announcement });
  }

  /** Once for each cause: data that is still damaged when read again does not count again. */
  #refuse(error: Error): void {
    if (error.message === this.#lastRefusal) return;
    this.#lastRefusal = error.message;
    this.#refused++;
    this.#options.refusals?.add();
    this.#options.logger.error('metric is refused; the previous version stays in use', {
      cause: error.message,
    });
  }
}

function isUnusable(error: unknown): error is Error {
  return (
    error instanceof InvalidCellMetric ||
    error instanceof MetricMismatch ||
    error instanceof InvalidMetricManifest
  );
}
