import { createHash } from 'node:crypto';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import {
  applyCellMetrics,
  type CellMetric,
  decodeCellMetric,
  encodeCellMetric,
} from '#routing-engine/cell-metric.js';
import {
  applyChanges,
  changedCells,
  type EdgeChange,
  freeFlowMetric,
  type Metric,
} from '#routing-engine/metric.js';
import type { RoadNetwork } from '#routing-engine/road-network.js';
import type { MetricCustomized } from '#schemas/messages.js';
import type { CellId } from '#schemas/units.js';
import {
  decodeMetricManifest,
  encodeMetricManifest,
  type MetricManifest,
  metricKeys,
} from '#tile-builder/metric-manifest.js';

/** Another process has published the version that was to be ours: open again and start from what it wrote. */
export class MetricConflict extends Error {
  override readonly name = 'MetricConflict';
}

/** A process that began later writes the metric now: this one is to leave it alone. */
export class MetricSuperseded extends Error {
  override readonly name = 'MetricSuperseded';
}

export interface MetricPublisherOptions {
  readonly network: RoadNetwork;
  readonly objects: ObjectStore;
  readonly nowMs: () => number;
  /** Objects of replaced versions stay this long for followers that are behind. */
  readonly keepMs: number;
}

export interface ChangeCause {
  /** Unix milliseconds of the earliest acceptance behind the changes. */
  readonly causedMs: number;
  readonly reasons: readonly string[];
}

/**
 * The one writer of the driving metric: it takes the next epoch when it is opened, and stops writing once there is a later
 * one, so that a process that was frozen while another took over cannot go on where it was. A version comes into being in this order, and is whole after each step:
 * weights of the changed cells → `versions/N`, written only where nobody else did → `current`. A crash in between leaves
 * the version before, or a `versions/N` that the next opening takes over.
 */
export class MetricPublisher {
  readonly #options: MetricPublisherOptions;
  readonly #epoch: number;
  #metric: Metric;
  #cells: ReadonlyMap<CellId, string>;
  #announcement: MetricCustomized | undefined;
  readonly #replaced: { readonly key: string; readonly atMs: number }[] = [];

  /** Takes the next epoch and reads the present version. Throws what decoding throws for bytes that are corrupt. */
  static async open(options: MetricPublisherOptions): Promise<MetricPublisher> {
    const epoch = await takeEpoch(options);
    const manifest = await newestManifest(options);
    const { network, objects } = options;
    const freeFlow = freeFlowMetric(network, 'driving');
    if (manifest === undefined) return new MetricPublisher(options, epoch, freeFlow, undefined);
    const cells: CellMetric[] = [];
    for (const [cell, key] of manifest.cells) {
      const bytes = await objects.get(key);
      if (bytes === undefined)
        throw new Error(
          `The weights of cell ${cell} are not under ${key}; delete ${metricKeys.current(network.tilesetId)} to begin at free flow.`,
        );
      cells.push(decodeCellMetric(network, bytes));
    }
    const metric = applyCellMetrics(network, freeFlow, cells, manifest.version);
    const publisher = new MetricPublisher(options, epoch, metric, manifest);
    await publisher.#findLeftovers();
    return publisher;
  }

  private constructor(
    options: MetricPublisherOptions,
    epoch: number,
    metric: Metric,
    manifest: MetricManifest | undefined,
  ) {
    this.#options = options;
    this.#epoch = epoch;
    this.#metric = metric;
    this.#cells = manifest?.cells ?? new Map();
    this.#announcement = manifest?.announcement;
  }

  get metric(): Metric {
    return this.#metric;
  }

  /** Of the present version, which may not have reached the log before a crash; undefined at free flow. */
  get announcement(): MetricCustomized | undefined {
    return this.#announcement;
  }

  /**
   * The next version, in the object store; undefined where the changes change nothing. Throws `MetricSuperseded` or
   * `MetricConflict`; neither leaves anything that readers see.
   */
  async publish(
    changes: readonly EdgeChange[],
    { causedMs, reasons }: ChangeCause,
  ): Promise<MetricCustomized | undefined> {
    const { network, objects, nowMs } = this.#options;
    const { tilesetId } = network;
    const version = this.#metric.version + 1;
    const after = applyChanges(network, this.#metric, changes, version);
    const cells = changedCells(network, this.#metric, after);
    if (cells.length === 0) return undefined;
    await this.#mustLead();
    const keys = await Promise.all(
      cells.map(async (cell) => {
        const bytes = encodeCellMetric(network, after, cell);
        const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
        const key = metricKeys.cell(tilesetId, cell, version, digest);
        await objects.put(key, bytes);
        return key;
      }),
    );
    const moved = changes.filter(({ edge }) => this.#metric.costMs[edge] !== after.costMs[edge]);
    const announcement: MetricCustomized = {
      tilesetId,
      version,
      cells,
      objectKeys: keys,
      edgeIds: [...new Set(moved.map(({ edge }) => network.edgeId(edge)))],
      causedMs,
      publishedMs: nowMs(),
      reasons,
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
    this.#replace(cells, version);
    this.#metric = after;
    this.#cells = named;
    this.#announcement = announcement;
    return announcement;
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

  /** What a writer before this one replaced and could not delete any more. */
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

async function latestEpoch({ network: { tilesetId }, objects }: MetricPublisherOptions): Promise<number> {
  const folder = metricKeys.epoch(tilesetId, 0).slice(0, -1);
  let latest = 0;
  for await (const key of objects.list(folder)) latest = Math.max(latest, Number(key.slice(folder.length)));
  return latest;
}

async function takeEpoch(options: MetricPublisherOptions): Promise<number> {
  const { network, objects, nowMs } = options;
  for (;;) {
    const epoch = (await latestEpoch(options)) + 1;
    const taken = Buffer.from(JSON.stringify({ atMs: nowMs() }));
    if (await objects.putIfAbsent(metricKeys.epoch(network.tilesetId, epoch), taken)) return epoch;
  }
}

/** `current`, or a later version whose writer died before it could point to it. */
async function newestManifest({
  network: { tilesetId },
  objects,
}: MetricPublisherOptions): Promise<MetricManifest | undefined> {
  let bytes = await objects.get(metricKeys.current(tilesetId));
  let newest = bytes === undefined ? undefined : decodeMetricManifest(bytes);
  for (;;) {
    bytes = await objects.get(metricKeys.version(tilesetId, (newest?.version ?? 0) + 1));
    if (bytes === undefined) return newest;
    newest = decodeMetricManifest(bytes);
    await objects.put(metricKeys.current(tilesetId), bytes);
  }
}
