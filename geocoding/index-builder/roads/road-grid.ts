import { growingUint32 } from '#osm/elements/growing-array.js';
import type { Road } from '../gazetteer/road.js';
import { Squares, squaresOfSegment } from './squares.js';

/** Straight pieces of roads that any mode may use, looked up by squares. */
export interface RoadGrid {
  /** [W] by the ids of their ways, ascending. */
  readonly roads: readonly Road[];
  /** [W] modes as in `Road`. */
  readonly modes: Uint8Array;
  /** [W] number of the folded name; 0 if it has none. */
  readonly name: Uint32Array;
  /**
   * [S] the road of each segment, and its ends: west-east and south-north in 1e-7 degrees, four numbers a
   * segment.
   */
  readonly segmentRoad: Uint32Array;
  readonly segmentEnds: Int32Array;
  readonly squares: Squares;
  /** [squares + 1] start of each square in `segments`. */
  readonly firstSegment: Uint32Array;
  readonly segments: Uint32Array;
}

/** `all` ascend by the ids of their ways. Missing names are added to `nameNumbers`, from 1 on. */
export function gridRoads(all: readonly Road[], nameNumbers: Map<string, number>): RoadGrid {
  const roads = all.filter((road) => road.modes !== 0);
  const modes = new Uint8Array(roads.length);
  const name = new Uint32Array(roads.length);
  let segmentCount = 0;
  for (const { way } of roads) segmentCount += way.lngLatE7.length / 2 - 1;
  const segmentRoad = new Uint32Array(segmentCount);
  const segmentEnds = new Int32Array(4 * segmentCount);
  let segment = 0;
  for (let number = 0; number < roads.length; number++) {
    const road = roads[number];
    const { lngLatE7 } = road.way;
    modes[number] = road.modes;
    name[number] = road.name === '' ? 0 : numberOf(nameNumbers, road.name);
    for (let i = 0; i + 3 < lngLatE7.length; i += 2) {
      segmentRoad[segment] = number;
      const at = 4 * segment++;
      segmentEnds[at] = lngLatE7[i];
      segmentEnds[at + 1] = lngLatE7[i + 1];
      segmentEnds[at + 2] = lngLatE7[i + 2];
      segmentEnds[at + 3] = lngLatE7[i + 3];
    }
  }
  return { roads, modes, name, segmentRoad, segmentEnds, ...intoSquares(segmentEnds) };
}

function numberOf(numbers: Map<string, number>, name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size + 1;
    numbers.set(name, number);
  }
  return number;
}

function intoSquares(ends: Int32Array): Pick<RoadGrid, 'squares' | 'firstSegment' | 'segments'> {
  const squares = new Squares();
  const squareOf = growingUint32();
  const segmentIn = growingUint32();
  let segment = 0;
  const enter = (x: number, y: number): void => {
    squareOf.push(squares.make(x, y));
    segmentIn.push(segment);
  };
  for (let i = 0; i < ends.length; i += 4) {
    segment = i >> 2;
    squaresOfSegment(ends[i], ends[i + 1], ends[i + 2], ends[i + 3], enter);
  }
  const firstSegment = new Uint32Array(squares.size + 1);
  const square = squareOf.trimmed();
  for (let i = 0; i < square.length; i++) firstSegment[square[i] + 1]++;
  for (let each = 0; each < squares.size; each++) firstSegment[each + 1] += firstSegment[each];
  const next = firstSegment.slice();
  const segments = new Uint32Array(square.length);
  const entered = segmentIn.trimmed();
  for (let i = 0; i < entered.length; i++) segments[next[square[i]]++] = entered[i];
  return { squares, firstSegment, segments };
}
