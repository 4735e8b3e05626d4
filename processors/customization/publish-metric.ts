import {
  digestOf,
  encodeMetricManifest,
  isNamedBy,
  metricKeys,
  versionOfCellKey,
} from '#map-data/metric/metric-manifest.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import { encodeCellMetric } from '#routing-engine/overlay/cell-metric.js';
import { applyChanges, changedCells, type EdgeChange, type Metric } from '#routing-engine/overlay/metric.js';
import type { MetricCustomized } from '#schemas/messages.js';
import type { CellId } from '#schemas/units.js';
import { latestNumber, readStoredMetric, type StoredMetric } from './stored-metric.js';

/** Another process has published the version that was to be ours: open again and start from what it wrote. */
export class MetricConflict extends Error {
  override readonly name = 'MetricConflict';
}

/** A process that started later writes the metric now: this one must stop writing. */
export class MetricSuperseded extends Error {
  override readonly name = 'MetricSuperseded';
}

export interface MetricPublisherOptions {
  readonly network: RoadNetwork;
  readonly objects: ObjectStore;
  readonly nowMs: () => number;
  /** Objects of replaced versions stay this long for followers that are behind. */
  readonly keepMs: number;
  /** Newest version that the log has announced; 0 where it has none. */
  readonly announcedVersion: () => Promise<number>;
}

export interface ChangeCause {
  /** Unix milliseconds of the earliest acceptance behind the changes. */
  readonly causedMs: number;
  readonly reasons: readonly string[];
  /** Of the edges that are open at some hours only, those that are open now; absent: none. */
  readonly open?: ReadonlySet<number>;
}

/**
 * The one writer of the driving metric. It takes the next epoch when it is opened, and stops writing once
 * there is a later one, so that a process that was frozen during a takeover cannot continue. A version is
 * written in this order, and is complete after each step: weights of the changed cells → `versions/N`,
 * written only if it does not exist → `current`. A crash in between leaves the previous version, or a
 * `versions/N` that the next opening adopts.
 *
 * Damage that is found at opening is at free flow here and is written with the next version, which must then
 * be published even if nothing changed (`mustRewrite`). Later damage is repaired by `restore`: all data is in
 * memory.
 */
export class MetricPublisher {
  readonly #options: MetricPublisherOptions;
  readonly #epoch: number;
  #metric: Metric;
  #cells: ReadonlyMap<CellId, string>;
  #announcement: MetricCustomized | undefined;
  #replaced: { readonly key: string; readonly atMs: number }[] = [];
  #manifest: Uint8Array | undefined;
  /** Cells whose stored weights cannot be used. */
  #damaged: ReadonlySet<CellId>;
  /** There was a version, but it cannot be used: the next one contains the complete metric. */
  #isLost: boolean;
  /** Cells to be checked next, in turn. */
  #unverified: CellId[] = [];

  /** Takes the next epoch and reads the current version, as far as it can be used. */
  static async open(options: MetricPublisherOptions): Promise<MetricPublisher> {
    const { network, objects, announcedVersion } = options;
    const epoch = await takeEpoch(options);
    const stored = await readStoredMetric(network, objects, await announcedVersion());
    const publisher = new MetricPublisher(options, epoch, stored);
    await publisher.#findLeftovers();
    return publisher;
  }

  private constructor(
    options: MetricPublisherOptions,
    epoch: number,
    { metric, manifest, damaged, isLost }: StoredMetric,
  ) {
    this.#options = options;
    this.#epoch = epoch;
    this.#metric = metric;
    this.#cells = manifest?.cells ?? new Map();
    this.#announcement = manifest?.announcement;
    this.#manifest = manifest === undefined ? undefined : encodeMetricManifest(manifest);
    this.#damaged = damaged;
    this.#isLost = isLost;
  }

  get metric(): Metric {
    return this.#metric;
  }

  /** The announcement of the current version, which a crash may have lost; undefined at free flow. */
  get announcement(): MetricCustomized | undefined {
    return this.#announcement;
  }

  /** What is stored cannot be used as it is. */
  get mustRewrite(): boolean {
    return this.#isLost || this.#damaged.size > 0;
  }

  /**
   * Writes the next version to the object store; undefined if the changes have no effect and nothing must be
   * rewritten. Throws `MetricSuperseded` or `MetricConflict`; neither leaves anything that readers see.
   */
  async publish(
    changes: readonly EdgeChange[],
    { causedMs, reasons, open }: ChangeCause,
  ): Promise<MetricCustomized | undefined> {
    const { network, objects, nowMs } = this.#options;
    const { tilesetId } = network;
    const version = this.#metric.version + 1;
    const after = applyChanges(network, this.#metric, changes, version, open);
    const cells = [...new Set([...changedCells(network, this.#metric, after), ...this.#damaged])];
    if (cells.length === 0 && !this.#isLost) return undefined;
    await this.#mustLead();
    const keys = await Promise.all(
      cells.map(async (cell) => {
        const bytes = encodeCellMetric(network, after, cell);
        const key = metricKeys.cell(tilesetId, cell, version, digestOf(bytes));
        await objects.put(key, bytes);
        return key;
      }),
    );
    const moved = changes.filter(({ edge }) =>
      network.copiesOf(edge).some((each) => this.#metric.costMs[each] !== after.costMs[each]),
    );
    const announcement: MetricCustomized = {
      tilesetId,
      version,
      cells,
      objectKeys: keys,
      // The previous metric is unknown, so the changes are too.
      edgeIds: this.#isLost ? [] : [...new Set(moved.map(({ edge }) => network.edgeId(edge)))],
      causedMs,
      publishedMs: nowMs(),
      reasons,
      whole: this.#isLost,
    };
    const named = new Map([...this.#cells, ...cells.map((cell, i) => [cell, keys[i]!] as const)]);
    const manifest = encodeMetricManifest({ tilesetId, version, cells: named, announcement });
    if (!(await objects.putIfAbsent(metricKeys.version(tilesetId, version), manifest))) {
      await this.#mustLead();
      throw new MetricConflict(
        `Version ${version} of the metric of ${tilesetId} was written by another process.`,
      );
    }
    await objects.put(metricKeys.current(tilesetId), manifest);
    // A writer that died during this version may have left the same weights, which were marked for deletion.
    this.#replaced = this.#replaced.filter(({ key }) => !keys.includes(key));
    this.#replace(cells, version);
    this.#metric = after;
    this.#cells = named;
    this.#announcement = announcement;
    this.#manifest = manifest;
    this.#damaged = new Set();
    this.#isLost = false;
    this.#unverified = [...new Set([...cells, ...this.#unverified])];
    return announcement;
  }

  /**
   * Checks whether `current` and the weights of at most `cellsMax` cells are in the store as they were
   * written, the newest first and then all in turn, and restores what is not. Returns the number of restored
   * objects. Throws `MetricSuperseded`.
   */
  async restore(cellsMax: number): Promise<number> {
    const { network, objects } = this.#options;
    if (this.#manifest === undefined || this.mustRewrite) return 0;
    await this.#mustLead();
    await objects.putIfAbsent(metricKeys.epoch(network.tilesetId, this.#epoch), epochTaken(this.#options));
    if (this.#unverified.length === 0) this.#unverified = [...this.#cells.keys()];
    let restored = 0;
    for (const cell of this.#unverified.splice(0, cellsMax)) {
      const key = this.#cells.get(cell);
      const stored = key === undefined ? undefined : await objects.get(key);
      if (key === undefined || (stored !== undefined && isNamedBy(key, stored))) continue;
      await objects.put(
        key,
        encodeCellMetric(network, { ...this.#metric, version: versionOfCellKey(key) }, cell),
      );
      restored++;
    }
    if (await this.#putCurrent()) restored++;
    return restored;
  }

  /** False where `current` is what it should be. After the cells that it names. */
  async #putCurrent(): Promise<boolean> {
    const { network, objects } = this.#options;
    const key = metricKeys.current(network.tilesetId);
    const stored = await objects.get(key);
    if (stored !== undefined && Buffer.compare(stored, this.#manifest!) === 0) return false;
    await objects.put(key, this.#manifest!);
    return true;
  }

  /** Deletes what was replaced long enough ago. */
  async deleteReplaced(): Promise<void> {
    const untilMs = this.#options.nowMs() - this.#options.keepMs;
    while (this.#replaced[0] !== undefined && this.#replaced[0].atMs <= untilMs)
      await this.#options.objects.delete(this.#replaced.shift()!.key);
  }

  async #mustLead(): Promise<void> {
    const latest = await latestEpoch(this.#options);
    if (latest > this.#epoch)
      throw new MetricSuperseded(`This process writes in epoch ${this.#epoch}, another in ${latest}.`);
  }

  /** Objects that an earlier writer replaced and did not delete. */
  async #findLeftovers(): Promise<void> {
    const { network, objects, nowMs } = this.#options;
    const { tilesetId } = network;
    const kept = new Set([
      ...this.#cells.values(),
      metricKeys.current(tilesetId),
      metricKeys.version(tilesetId, this.#metric.version),
      metricKeys.epoch(tilesetId, this.#epoch),
    ]);
    const atMs = nowMs();
    for await (const key of objects.list(metricKeys.folder(tilesetId)))
      if (!kept.has(key)) this.#replaced.push({ key, atMs });
  }

  #replace(cells: readonly CellId[], version: number): void {
    const atMs = this.#options.nowMs();
    const { tilesetId } = this.#options.network;
    if (version > 1) this.#replaced.push({ key: metricKeys.version(tilesetId, version - 1), atMs });
    for (const cell of cells) {
      const key = this.#cells.get(cell);
      if (key !== undefined) this.#replaced.push({ key, atMs });
    }
  }
}

const latestEpoch = ({ network: { tilesetId }, objects }: MetricPublisherOptions): Promise<number> =>
  latestNumber(objects, metricKeys.epoch(tilesetId, 0).slice(0, -1));

async function takeEpoch(options: MetricPublisherOptions): Promise<number> {
  const { network, objects } = options;
  for (;;) {
    const epoch = (await latestEpoch(options)) + 1;
    const key = metricKeys.epoch(network.tilesetId, epoch);
    if (await objects.putIfAbsent(key, epochTaken(options))) return epoch;
  }
}

const epochTaken = ({ nowMs }: MetricPublisherOptions): Uint8Array =>
  Buffer.from(JSON.stringify({ atMs: nowMs() }));
