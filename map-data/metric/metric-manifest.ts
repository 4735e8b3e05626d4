import { createHash } from 'node:crypto';
import type { MetricCustomized } from '#schemas/messages.js';
import type { CellId } from '#schemas/units.js';

/**
 * Which weights make up one version of the driving metric, and what was announced with it. Cells that are not
 * listed are at free flow. Stored as JSON under `metricKeys.current` and, for good, under
 * `metricKeys.version`.
 */
export interface MetricManifest {
  readonly tilesetId: string;
  readonly version: number;
  /** Object keys of the changed cells' weights. */
  readonly cells: ReadonlyMap<CellId, string>;
  readonly announcement: MetricCustomized;
}

const format = 'meridian-metric-2';
/** The key without a digest, in stores of earlier programs until the next version. */
const formatBefore = 'meridian-metric-1';

export const metricKeys = {
  folder: (tilesetId: string): string => `metrics/${tilesetId}/`,
  /** Replaced with each version, after everything that it names. */
  current: (tilesetId: string): string => `metrics/${tilesetId}/current`,
  /** Written once: the process that writes it owns the version. */
  version: (tilesetId: string, version: number): string => `metrics/${tilesetId}/versions/${version}`,
  /**
   * Written once by a process that starts to write the metric: of two writers, the one with the higher number
   * is right.
   */
  epoch: (tilesetId: string, epoch: number): string => `metrics/${tilesetId}/epochs/${epoch}`,
  /** `digest` keeps two writers of one version from replacing each other's bytes. */
  cell: (tilesetId: string, cell: CellId, version: number, digest: string): string =>
    `metrics/${tilesetId}/cells/${cell}/${version}-${digest}`,
};

/** Of the bytes of one cell's weights; their key ends with it. */
export const digestOf = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16);

/** Whether these are the bytes that were written under the key. */
export const isNamedBy = (key: string, bytes: Uint8Array): boolean => key.endsWith(`-${digestOf(bytes)}`);

/** The version that first named the weights under the key. */
export const versionOfCellKey = (key: string): number =>
  Number.parseInt(key.slice(key.lastIndexOf('/') + 1), 10);

/** The bytes are not a manifest of this format. */
export class InvalidMetricManifest extends Error {
  override readonly name = 'InvalidMetricManifest';
}

export function encodeMetricManifest({ cells, ...rest }: MetricManifest): Uint8Array {
  const manifest = { ...rest, cells: Object.fromEntries(cells) };
  return Buffer.from(JSON.stringify({ format, digest: digestOf(JSON.stringify(manifest)), manifest }));
}

/** Throws `InvalidMetricManifest`. */
export function decodeMetricManifest(bytes: Uint8Array): MetricManifest {
  const json = manifestIn(parsed(bytes));
  const { tilesetId, version, cells, announcement } = json;
  const isWhole =
    typeof tilesetId === 'string' &&
    Number.isSafeInteger(version) &&
    isRecord(cells) &&
    Object.entries(cells).every(([cell, key]) => /^\d+$/.test(cell) && typeof key === 'string') &&
    isRecord(announcement) &&
    announcement['version'] === version &&
    announcement['tilesetId'] === tilesetId;
  if (!isWhole)
    throw new InvalidMetricManifest('The metric manifest lacks a field or has one of another type.');
  return {
    tilesetId,
    version: version as number,
    cells: new Map(Object.entries(cells).map(([cell, key]) => [Number(cell) as CellId, key as string])),
    announcement: { ...(announcement as unknown as MetricCustomized), whole: announcement['whole'] === true },
  };
}

function manifestIn(json: Record<string, unknown>): Record<string, unknown> {
  if (json['format'] === formatBefore) return json;
  const { manifest, digest } = json;
  if (json['format'] !== format || !isRecord(manifest))
    throw new InvalidMetricManifest(`The metric manifest is not ${format}.`);
  if (digest !== digestOf(JSON.stringify(manifest)))
    throw new InvalidMetricManifest('The metric manifest does not have the digest that it was written with.');
  return manifest;
}

function parsed(bytes: Uint8Array): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isRecord(json)) return json;
  } catch (cause) {
    throw new InvalidMetricManifest('The metric manifest is no JSON.', { cause });
  }
  throw new InvalidMetricManifest('The metric manifest is no JSON object.');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
