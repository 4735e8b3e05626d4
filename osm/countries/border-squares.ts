import { borders } from '@rapideditor/country-coder';

type Segment = readonly [x0: number, y0: number, x1: number, y1: number];

/** The segments of all borders by the squares of one degree that they pass. */
let segments: ReadonlyMap<number, readonly Segment[]> | undefined;

const squareOf = (column: number, row: number): number => column * 180 + row;

/** Whether a border may pass through a box, in degrees; true for one that touches it. */
export function isBorderIn(west: number, south: number, east: number, north: number): boolean {
  segments ??= segmentsBySquare();
  for (let column = Math.floor(west); column <= Math.floor(east); column++)
    for (let row = Math.floor(south); row <= Math.floor(north); row++)
      for (const segment of segments.get(squareOf(column, row)) ?? [])
        if (meets(segment, west, south, east, north)) return true;
  return false;
}

function segmentsBySquare(): ReadonlyMap<number, readonly Segment[]> {
  const bySquare = new Map<number, Segment[]>();
  for (const { geometry } of borders.features) {
    if (geometry?.type !== 'MultiPolygon') continue;
    for (const ring of geometry.coordinates.flat())
      for (let i = 1; i < ring.length; i++)
        addSegment(bySquare, [ring[i - 1]![0]!, ring[i - 1]![1]!, ring[i]![0]!, ring[i]![1]!]);
  }
  return bySquare;
}

function addSegment(bySquare: Map<number, Segment[]>, segment: Segment): void {
  const [x0, y0, x1, y1] = segment;
  for (let column = Math.floor(Math.min(x0, x1)); column <= Math.floor(Math.max(x0, x1)); column++)
    for (let row = Math.floor(Math.min(y0, y1)); row <= Math.floor(Math.max(y0, y1)); row++) {
      if (!meets(segment, column, row, column + 1, row + 1)) continue;
      const there = bySquare.get(squareOf(column, row));
      if (there === undefined) bySquare.set(squareOf(column, row), [segment]);
      else there.push(segment);
    }
}

/** Their boxes overlap, and not all corners of the box lie on one side of the segment. */
function meets([x0, y0, x1, y1]: Segment, west: number, south: number, east: number, north: number): boolean {
  if (Math.max(x0, x1) < west || Math.min(x0, x1) > east) return false;
  if (Math.max(y0, y1) < south || Math.min(y0, y1) > north) return false;
  const side = (x: number, y: number): number => (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
  const sides = [side(west, south), side(west, north), side(east, south), side(east, north)];
  return Math.min(...sides) <= 0 && Math.max(...sides) >= 0;
}
