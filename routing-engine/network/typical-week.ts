import { crc32 } from 'node:zlib';

/** Half hours of a week, from Monday 0:00 UTC. */
export const binsPerWeek = 336;
const binMs = 1_800_000;
const weekMs = binsPerWeek * binMs;
/** 1970-01-05, a Monday. */
const mondayMs = 4 * 86_400_000;

export function binOfWeek(atMs: number): number {
  return Math.floor(mod(atMs - mondayMs, weekMs) / binMs);
}

/** A file of typical weeks cannot be used. */
export class UnreadableTypicalWeek extends Error {
  override readonly name = 'UnreadableTypicalWeek';
}

/**
 * A file of typical weeks (docs/formats/typical-week.md), little-endian:
 *
 *   0        4         6      8                16      20             24
 *   ┌────────┬─────────┬──────┬────────────────┬───────┬──────────────┬────────────┬──────────────┬───────┐
 *   │ "MTWK" │ version │ bins │ effective from │ edges │ bytes of ids │ ids, lines │ edges × bins │ crc32 │
 *   │        │ u16     │ u16  │ f64 Unix ms    │ u32   │ u32          │            │ u8 each      │ u32   │
 *   └────────┴─────────┴──────┴────────────────┴───────┴──────────────┴────────────┴──────────────┴───────┘
 *
 * A byte b says that the edge takes 2^(b / 32 - 2) times as long as on an empty road: 0.25 to 62 times, in
 * steps of 2.2 %.
 */
const magic = [0x4d, 0x54, 0x57, 0x4b] as const;
const version = 1;
const headBytes = 24;
const stepsPerDoubling = 32;
const leastExponent = -2;

export const ratioByte = (ratio: number): number =>
  Math.max(0, Math.min(255, Math.round((Math.log2(ratio) - leastExponent) * stepsPerDoubling)));
const ratioOfByte = Float64Array.from(
  { length: 256 },
  (_, byte) => 2 ** (byte / stepsPerDoubling + leastExponent),
);

export interface EdgeWeekBytes {
  readonly edgeId: string;
  /** [bins] */
  readonly ratios: Uint8Array;
}

export function encodeTypicalWeek(effectiveFromMs: number, edges: readonly EdgeWeekBytes[]): Uint8Array {
  const ids = new TextEncoder().encode(edges.map(({ edgeId }) => edgeId).join('\n'));
  const bytes = new Uint8Array(headBytes + ids.length + edges.length * binsPerWeek + 4);
  const view = new DataView(bytes.buffer);
  bytes.set(magic);
  view.setUint16(4, version, true);
  view.setUint16(6, binsPerWeek, true);
  view.setFloat64(8, effectiveFromMs, true);
  view.setUint32(16, edges.length, true);
  view.setUint32(20, ids.length, true);
  bytes.set(ids, headBytes);
  for (const [i, { ratios }] of edges.entries()) bytes.set(ratios, headBytes + ids.length + i * binsPerWeek);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)), true);
  return bytes;
}

/** The usual speeds on edges at each half-hour of a week, learned from drivers. Immutable. */
export class TypicalWeek {
  readonly effectiveFromMs: number;
  readonly #at: ReadonlyMap<string, number>;
  readonly #ratios: Uint8Array;

  private constructor(effectiveFromMs: number, at: ReadonlyMap<string, number>, ratios: Uint8Array) {
    this.effectiveFromMs = effectiveFromMs;
    this.#at = at;
    this.#ratios = ratios;
  }

  /** Throws `UnreadableTypicalWeek` for bytes that are not a complete file of this version. */
  static from(bytes: Uint8Array): TypicalWeek {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length < headBytes + 4 || magic.some((byte, i) => bytes[i] !== byte))
      throw new UnreadableTypicalWeek('These bytes are no typical week.');
    if (view.getUint16(4, true) !== version || view.getUint16(6, true) !== binsPerWeek)
      throw new UnreadableTypicalWeek(
        `The typical week has version ${view.getUint16(4, true)}, we read ${version}.`,
      );
    const edges = view.getUint32(16, true);
    const idBytes = view.getUint32(20, true);
    if (bytes.length !== headBytes + idBytes + edges * binsPerWeek + 4)
      throw new UnreadableTypicalWeek('The typical week is cut off.');
    if (crc32(bytes.subarray(0, -4)) !== view.getUint32(bytes.length - 4, true))
      throw new UnreadableTypicalWeek('The typical week does not match its checksum.');
    const text = new TextDecoder().decode(bytes.slice(headBytes, headBytes + idBytes));
    const ids = edges === 0 ? [] : text.split('\n');
    if (ids.length !== edges)
      throw new UnreadableTypicalWeek('The typical week does not name all its edges.');
    return new TypicalWeek(
      view.getFloat64(8, true),
      new Map(ids.map((id, i) => [id, i * binsPerWeek])),
      bytes.subarray(headBytes + idBytes, -4),
    );
  }

  get edgeCount(): number {
    return this.#at.size;
  }

  /**
   * The duration of the edge at that time as a multiple of free flow, interpolated between the middles of two
   * half-hours; undefined if unknown.
   */
  ratio(edgeId: string, atMs: number): number | undefined {
    const row = this.#at.get(edgeId);
    if (row === undefined) return undefined;
    const place = mod(atMs - mondayMs - binMs / 2, weekMs) / binMs;
    const before = Math.floor(place);
    const share = place - before;
    const after = (before + 1) % binsPerWeek;
    return (
      ratioOfByte[this.#ratios[row + before]!]! * (1 - share) +
      ratioOfByte[this.#ratios[row + after]!]! * share
    );
  }
}

function mod(value: number, by: number): number {
  return ((value % by) + by) % by;
}
