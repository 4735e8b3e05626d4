import { createHash } from 'node:crypto';
import { Scratch } from '#map-data/arrays/scratch.js';
import type { Box } from '#osm/polygons/ring-geometry.js';
import type { DrawnElements } from '../rows/collect-rows.js';
import type { ElementTable } from '../rows/element-table.js';
import { FeatureRows } from '../rows/feature-rows.js';
import type { SeaRow } from '../sea/sea-tree.js';

/**
 * Raised whenever the same elements give other bytes, also for a new version of the package with the world's
 * coasts: then nothing of a previous map is reused.
 */
export const drawingVersion = 4;

/** Settings of a map besides its elements. */
export interface MapSettings {
  readonly zoomMax: number;
  readonly pngZoomMax: number;
  readonly world: boolean;
}

/** What the next build needs of a map to find changes. A map is complete without it. */
export interface MapBuildCache {
  readonly settings: MapSettings;
  /** West, south, east, north in 1e-7 degrees. */
  readonly box: Box;
  readonly drawn: DrawnElements;
  /** Hash of all coastlines, and the resulting sea. */
  readonly coasts: string;
  readonly sea: readonly SeaRow[];
  readonly brokenCoasts: number;
}

const format = 'meridian-map-memory';
interface Head extends Pick<MapBuildCache, 'settings' | 'box' | 'coasts' | 'brokenCoasts'> {
  readonly format: typeof format;
  readonly drawingVersion: number;
  readonly mapId: string;
  readonly nodes: number;
  readonly ways: number;
  readonly elements: number;
  readonly rows: number;
  readonly seaRows: number;
  readonly broken: readonly (readonly [element: number, rings: number])[];
}

const hashBytes = 32;
const seaColumns = 6;

/**
 * ```text
 * | SHA-256 of all behind it | bytes of the head u32, 0 u32 | head, JSON, blanks up to a multiple of 8 |
 * | sea: 6 doubles a row | ids: a double each | hashes: 2 u32 each | columns of the rows |
 * ```
 * Numbers are little-endian, as all machines that build are.
 *
 * @param scratch where the bytes lie until it is used again.
 */
export function encodeMapMemory(mapId: string, memory: MapBuildCache, scratch = new Scratch()): Uint8Array {
  const { settings, box, coasts, brokenCoasts, sea, drawn } = memory;
  const { elements, rows, broken } = drawn;
  const head: Head = {
    ...{ format, drawingVersion, mapId, settings, box, coasts, brokenCoasts },
    ...{ nodes: elements.nodes, ways: elements.ways, elements: elements.ids.length, rows: rows.length },
    ...{ seaRows: sea.length, broken: [...broken] },
  };
  let text = JSON.stringify(head);
  text = text.padEnd(8 * Math.ceil(Buffer.byteLength(text) / 8) + text.length - Buffer.byteLength(text));
  const lengths = Buffer.alloc(8);
  lengths.writeUInt32LE(Buffer.byteLength(text));
  const seaNumbers = Float64Array.from(
    sea.flatMap(({ z, x, y, isAll, a, b }) => [z, x, y, isAll ? 1 : 0, a, b]),
  );
  const parts = [
    lengths,
    Buffer.from(text),
    viewOf(seaNumbers),
    viewOf(elements.ids),
    viewOf(elements.hashes),
  ];
  parts.push(...rows.columns());
  let length = hashBytes;
  for (const part of parts) length += part.length;
  const bytes = scratch.uint8('memory of a map', length);
  let at = hashBytes;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes.set(createHash('sha256').update(bytes.subarray(hashBytes)).digest());
  return bytes;
}

/** Undefined if it is incomplete, of another map, or of another drawing version: then everything is built. */
export function readMapMemory(mapId: string, source: Uint8Array): MapBuildCache | undefined {
  if (source.length < hashBytes + 8) return undefined;
  const hash = createHash('sha256').update(source.subarray(hashBytes)).digest();
  if (!hash.equals(source.subarray(0, hashBytes))) return undefined;
  // An aligned copy for doubles.
  const bytes = new Uint8Array(source.length - hashBytes);
  bytes.set(source.subarray(hashBytes));
  const view = Buffer.from(bytes.buffer);
  const headBytes = view.readUInt32LE();
  const head = JSON.parse(view.toString('utf8', 8, 8 + headBytes)) as Head;
  if (head.format !== format || head.drawingVersion !== drawingVersion || head.mapId !== mapId)
    return undefined;
  let at = 8 + headBytes;
  const seaNumbers = new Float64Array(bytes.buffer, at, seaColumns * head.seaRows);
  at += seaNumbers.byteLength;
  const ids = new Float64Array(bytes.buffer, at, head.elements);
  at += ids.byteLength;
  const hashes = new Uint32Array(bytes.buffer, at, 2 * head.elements);
  at += hashes.byteLength;
  const rows = FeatureRows.from(bytes.subarray(at), head.rows);
  const elements: ElementTable = { nodes: head.nodes, ways: head.ways, ids, hashes };
  const sea: SeaRow[] = [];
  for (let i = 0; i < seaNumbers.length; i += seaColumns)
    sea.push({
      z: seaNumbers[i]!,
      x: seaNumbers[i + 1]!,
      y: seaNumbers[i + 2]!,
      isAll: seaNumbers[i + 3] === 1,
      a: seaNumbers[i + 4]!,
      b: seaNumbers[i + 5]!,
    });
  const { settings, box, coasts, brokenCoasts } = head;
  const drawn = { elements, rows, firstRow: firstRows(rows, ids.length), broken: new Map(head.broken) };
  return { settings, box, coasts, brokenCoasts, sea, drawn };
}

function firstRows({ element, length }: FeatureRows, elements: number): Uint32Array {
  const first = new Uint32Array(elements + 1);
  for (let row = 0; row < length; row++) first[element[row]! + 1]!++;
  for (let i = 0; i < elements; i++) first[i + 1]! += first[i]!;
  return first;
}

const viewOf = (column: Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(column.buffer, column.byteOffset, column.byteLength);
