import { crc32 } from 'node:zlib';
import type { CellId } from '#schemas/units.js';
import type { RoadNetwork } from '../network/road-network.js';
import { modeIndex, travelModes } from '../network/travel-mode.js';
import { customizeCells } from './customize.js';
import { assertSameTileset, copyCosts, coverCell, leastRatio, type Metric } from './metric.js';

/** The weights of one level-0 cell, as read from bytes. */
export interface CellMetric {
  readonly tilesetId: string;
  readonly version: number;
  readonly mode: Metric['mode'];
  readonly cell: CellId;
  /** By edge of the cell, in order. */
  readonly costMs: Int32Array;
}

/**
 * The bytes are not a cell's weights: wrong magic number, version, checksum or length. The message says
 * which.
 */
export class InvalidCellMetric extends Error {
  override readonly name = 'InvalidCellMetric';
}

const MAGIC = 0x4d524d43; // 'MRMC'
const FORMAT = 1;
const HEADER_BYTES = 36;

/**
 * The weights of one cell, to be published when they change.
 *
 * ```text
 *  0        4        6      8      12                20        28      32     36        36+4n
 *  | "MRMC" | format | mode | cell | tileset id (8 B) | version | edges | 0    | ms, i32 … | crc32 |
 * ```
 * Big-endian; the version is a 64-bit integer below 2^53.
 */
export function encodeCellMetric(network: RoadNetwork, metric: Metric, cell: CellId): Uint8Array {
  assertSameTileset(network, metric);
  const [first, end] = network.cellEdges(cell);
  const bytes = new Uint8Array(HEADER_BYTES + 4 * (end - first) + 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC);
  view.setUint16(4, FORMAT);
  view.setUint16(6, modeIndex(metric.mode));
  view.setUint32(8, cell);
  view.setBigUint64(12, BigInt(`0x${metric.tilesetId}`));
  view.setBigUint64(20, BigInt(metric.version));
  view.setUint32(28, end - first);
  for (let edge = first; edge < end; edge++)
    view.setInt32(HEADER_BYTES + 4 * (edge - first), metric.costMs[edge]);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)));
  return bytes;
}

/** Throws `InvalidCellMetric`; `MetricMismatch` when it is of another tileset. */
export function decodeCellMetric(network: RoadNetwork, bytes: Uint8Array): CellMetric {
  if (bytes.length < HEADER_BYTES + 4) throw new InvalidCellMetric(`it is cut off at ${bytes.length} bytes`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== MAGIC) throw new InvalidCellMetric('it does not begin with "MRMC"');
  if (view.getUint16(4) !== FORMAT)
    throw new InvalidCellMetric(`its format is ${view.getUint16(4)}, this program reads ${FORMAT}`);
  if (view.getUint32(bytes.length - 4) !== crc32(bytes.subarray(0, bytes.length - 4)))
    throw new InvalidCellMetric('its checksum does not match');
  const tilesetId = view.getBigUint64(12).toString(16).padStart(16, '0');
  assertSameTileset(network, { tilesetId });
  const cell = view.getUint32(8) as CellId;
  const mode = travelModes[view.getUint16(6)];
  if (cell >= network.cellCount || mode === undefined)
    throw new InvalidCellMetric('it names a cell or a mode that is not there');
  const [first, end] = network.cellEdges(cell);
  if (view.getUint32(28) !== end - first || bytes.length !== HEADER_BYTES + 4 * (end - first) + 4)
    throw new InvalidCellMetric('it holds another number of edges than the cell');
  const costMs = Int32Array.from({ length: end - first }, (_, i) => view.getInt32(HEADER_BYTES + 4 * i));
  if (costMs.some((ms) => ms < 1)) throw new InvalidCellMetric('it holds a cost that is not positive');
  return { tilesetId, version: Number(view.getBigUint64(20)), mode, cell, costMs };
}

/** A new metric (copy on write) in which the given cells have the given weights. */
export function applyCellMetrics(
  network: RoadNetwork,
  metric: Metric,
  cells: Iterable<CellMetric>,
  version: number,
): Metric {
  assertSameTileset(network, metric);
  const { costMs, covered } = copyCosts(network, metric);
  let ratio = metric.leastRatio;
  const touched = new Set<number>();
  for (const part of cells) {
    assertSameTileset(network, part);
    if (part.mode !== metric.mode)
      throw new InvalidCellMetric(`it is for ${part.mode}, the metric for ${metric.mode}`);
    const [first, end] = network.cellEdges(part.cell);
    coverCell(network, { costMs, covered, mode: metric.mode }, part.cell, part.costMs);
    touched.add(part.cell);
    const edges = Uint32Array.from({ length: end - first }, (_, i) => first + i);
    ratio = leastRatio(network, { mode: metric.mode, leastRatio: ratio }, costMs, edges);
  }
  const weightsMs = customizeCells(network, metric.mode, { costMs, covered }, metric.weightsMs, touched);
  return { ...metric, version, costMs, covered, leastRatio: ratio, weightsMs };
}
