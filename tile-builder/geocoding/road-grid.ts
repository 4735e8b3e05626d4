import { travelModes } from '#routing-engine/travel-mode.js';
import { growingInt32, growingUint32 } from '../osm/growing-array.js';
import type { TaggedWay } from '../osm/map-elements.js';
import { RulesReader } from '../profiles/rules-reader.js';
import { limits } from './limits.js';

/** Straight pieces of all roads that any mode may use, looked up by squares. */
export interface RoadGrid {
  /** [W] ids, ascending. */
  readonly wayId: Float64Array;
  /** [W] bit m: mode m may go along the way as it is drawn; bit 3 + m: against it. */
  readonly modes: Uint8Array;
  /** [W] number of the folded name; 0 where it has none. */
  readonly name: Uint32Array;
  /** [S] the way of each segment, and its ends: west-east and south-north in 1e-7 degrees, four numbers a segment. */
  readonly segmentWay: Uint32Array;
  readonly segmentEnds: Int32Array;
  readonly squares: Squares;
  /** [squares + 1] where the segments of a square begin in `segments`. */
  readonly firstSegment: Uint32Array;
  readonly segments: Uint32Array;
}

/** `nameNumber` gives equal numbers to names that are the same to people, 0 to none. */
export function gridRoads(ways: readonly TaggedWay[], nameNumber: (name: string) => number): RoadGrid {
  const roads: TaggedWay[] = [];
  const modes: number[] = [];
  const reader = new RulesReader();
  for (const way of ways) {
    const bits = modesOf(reader, way);
    if (bits === 0) continue;
    roads.push(way);
    modes.push(bits);
  }
  const segmentCount = roads.reduce((sum, { lngLatE7 }) => sum + lngLatE7.length / 2 - 1, 0);
  const segmentWay = new Uint32Array(segmentCount);
  const segmentEnds = new Int32Array(4 * segmentCount);
  let segment = 0;
  roads.forEach(({ lngLatE7 }, number) => {
    for (let i = 0; i + 2 < lngLatE7.length; i += 2) {
      segmentWay[segment] = number;
      for (let k = 0; k < 4; k++) segmentEnds[4 * segment + k] = lngLatE7[i + k];
      segment++;
    }
  });
  return {
    wayId: Float64Array.from(roads, ({ id }) => id),
    modes: Uint8Array.from(modes),
    name: Uint32Array.from(roads, ({ tags }) => nameNumber(tags.get('name') ?? '')),
    segmentWay,
    segmentEnds,
    ...intoSquares(segmentEnds),
  };
}

/** Numbers the squares that hold something; those beyond the west and south of everything are never asked for. */
class Squares {
  readonly #west: number;
  readonly #south: number;
  readonly #columns: number;
  readonly #numbers = new Map<number, number>();

  constructor(west: number, south: number, east: number) {
    this.#west = squareAt(west);
    this.#south = squareAt(south);
    this.#columns = squareAt(east) - this.#west + 1;
  }

  get size(): number {
    return this.#numbers.size;
  }

  /** `x` and `y` as `squareAt` gives them; undefined for an empty square. */
  find(x: number, y: number): number | undefined {
    const column = x - this.#west;
    if (column < 0 || column >= this.#columns || y < this.#south) return undefined;
    return this.#numbers.get((y - this.#south) * this.#columns + column);
  }

  make(x: number, y: number): number {
    const key = (y - this.#south) * this.#columns + x - this.#west;
    let number = this.#numbers.get(key);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(key, number);
    }
    return number;
  }
}

export const squareAt = (e7: number): number => Math.floor(e7 / limits.roadSquareE7);

function intoSquares(ends: Int32Array): Pick<RoadGrid, 'squares' | 'firstSegment' | 'segments'> {
  let [west, south, east] = [0x7fffffff, 0x7fffffff, -0x7fffffff];
  for (let i = 0; i < ends.length; i += 2) {
    west = Math.min(west, ends[i]);
    east = Math.max(east, ends[i]);
    south = Math.min(south, ends[i + 1]);
  }
  const squares = new Squares(west, south, east);
  const squareOf = growingUint32();
  const segmentIn = growingInt32();
  for (let i = 0; i < ends.length; i += 4)
    eachSquare(ends[i], ends[i + 1], ends[i + 2], ends[i + 3], (x, y) => {
      squareOf.push(squares.make(x, y));
      segmentIn.push(i >> 2);
    });
  const firstSegment = new Uint32Array(squares.size + 1);
  const square = squareOf.trimmed();
  for (let i = 0; i < square.length; i++) firstSegment[square[i] + 1]++;
  for (let each = 0; each < squares.size; each++) firstSegment[each + 1] += firstSegment[each];
  const next = firstSegment.slice();
  const segments = new Uint32Array(square.length);
  const segment = segmentIn.trimmed();
  for (let i = 0; i < segment.length; i++) segments[next[square[i]]++] = segment[i];
  return { squares, firstSegment, segments };
}

/** Squares that a segment touches, column by column, so that a long ferry does not fill its box. */
function eachSquare(
  lngA: number,
  latA: number,
  lngB: number,
  latB: number,
  use: (x: number, y: number) => void,
): void {
  const first = squareAt(Math.min(lngA, lngB));
  const last = squareAt(Math.max(lngA, lngB));
  if (first === last && squareAt(latA) === squareAt(latB)) {
    use(first, squareAt(latA));
    return;
  }
  for (let x = first; x <= last; x++) {
    let south = Math.min(latA, latB);
    let north = Math.max(latA, latB);
    if (first < last) {
      const from = latA + (latB - latA) * share(x * limits.roadSquareE7, lngA, lngB);
      const to = latA + (latB - latA) * share((x + 1) * limits.roadSquareE7, lngA, lngB);
      // One unit more than it is, lest rounding leaves out a square; never beyond the segment.
      south = Math.max(south, Math.min(from, to) - 1);
      north = Math.min(north, Math.max(from, to) + 1);
    }
    const top = squareAt(north);
    for (let y = squareAt(south); y <= top; y++) use(x, y);
  }
}

const share = (at: number, from: number, to: number): number =>
  Math.max(0, Math.min(1, (at - from) / (to - from)));

/** Bits of the modes that may use a way, by direction. */
function modesOf(reader: RulesReader, { tags }: TaggedWay): number {
  // A ferry's speed needs its length; whom it takes does not.
  const rules = reader.read(tags, 1);
  if (rules === undefined) return 0;
  let bits = 0;
  for (let mode = 0; mode < travelModes.length; mode++) {
    if (rules.forwardKph[mode] > 0) bits |= 1 << mode;
    if (rules.backwardKph[mode] > 0) bits |= 8 << mode;
  }
  return bits;
}
