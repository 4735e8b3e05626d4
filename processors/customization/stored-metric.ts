import {
  decodeMetricManifest,
  InvalidMetricManifest,
  isNamedBy,
  type MetricManifest,
  metricKeys,
} from '#map-data/metric/metric-manifest.js';
import type { ObjectStore } from '#platform/object-store/object-store.js';
import type { RoadNetwork } from '#routing-engine/network/road-network.js';
import {
  applyCellMetrics,
  type CellMetric,
  decodeCellMetric,
  InvalidCellMetric,
} from '#routing-engine/overlay/cell-metric.js';
import { freeFlowMetric, type Metric, MetricMismatch } from '#routing-engine/overlay/metric.js';
import type { CellId } from '#schemas/units.js';

/** The usable part of the newest version of the metric in the object store. */
export interface StoredMetric {
  /** At free flow where nothing usable is stored. Its version is the newest that was ever published. */
  readonly metric: Metric;
  /** Undefined where none is usable. */
  readonly manifest: MetricManifest | undefined;
  /** Cells whose weights are missing or damaged: they are at free flow in `metric`. */
  readonly damaged: ReadonlySet<CellId>;
  /** There was a version, and no manifest of it is usable. */
  readonly isLost: boolean;
}

/**
 * Reads `current`, or a later version whose writer died before it could point to it. Bytes that are missing,
 * damaged, or older than what is known to have been published are detected and never used.
 */
export async function readStoredMetric(
  network: RoadNetwork,
  objects: ObjectStore,
  announcedVersion: number,
): Promise<StoredMetric> {
  const { tilesetId } = network;
  const freeFlow = freeFlowMetric(network, 'driving');
  const latest = await latestNumber(objects, metricKeys.version(tilesetId, 0).slice(0, -1));
  const current = await objects.get(metricKeys.current(tilesetId));
  const kept = latest === 0 ? undefined : await objects.get(metricKeys.version(tilesetId, latest));
  const published = Math.max(latest, announcedVersion);
  const usable = [current, kept]
    .flatMap((bytes) => usableManifest(bytes, tilesetId) ?? [])
    .filter(({ version }) => version >= published);
  const manifest = usable.reduce<MetricManifest | undefined>(
    (newest, each) => (newest === undefined || each.version > newest.version ? each : newest),
    undefined,
  );
  if (manifest === undefined) {
    const isLost = published > 0 || current !== undefined;
    return { metric: { ...freeFlow, version: published }, manifest, damaged: new Set(), isLost };
  }
  const damaged = new Set<CellId>();
  const cells: CellMetric[] = [];
  for (const [cell, key] of manifest.cells) {
    const weights = usableCell(network, key, cell, await objects.get(key));
    if (weights === undefined) damaged.add(cell);
    else cells.push(weights);
  }
  const metric = applyCellMetrics(network, freeFlow, cells, manifest.version);
  return { metric, manifest, damaged, isLost: false };
}

/** Highest number that ends a key in the folder; 0 where there is none. */
export async function latestNumber(objects: ObjectStore, folder: string): Promise<number> {
  let latest = 0;
  for await (const key of objects.list(folder)) {
    const number = Number(key.slice(folder.length));
    if (Number.isSafeInteger(number)) latest = Math.max(latest, number);
  }
  return latest;
}

function usableManifest(bytes: Uint8Array | undefined, tilesetId: string): MetricManifest | undefined {
  if (bytes === undefined) return undefined;
  try {
    const manifest = decodeMetricManifest(bytes);
    return manifest.tilesetId === tilesetId ? manifest : undefined;
  } catch (error) {
    if (error instanceof InvalidMetricManifest) return undefined;
    throw error;
  }
}

function usableCell(
  network: RoadNetwork,
  key: string,
  cell: CellId,
  bytes: Uint8Array | undefined,
): CellMetric | undefined {
  if (bytes === undefined || !isNamedBy(key, bytes)) return undefined;
  try {
    const weights = decodeCellMetric(network, bytes);
    return weights.cell === cell && weights.mode === 'driving' ? weights : undefined;
  } catch (error) {
    if (error instanceof InvalidCellMetric || error instanceof MetricMismatch) return undefined;
    throw error;
  }
}
