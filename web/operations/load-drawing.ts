import { worldX, worldY } from '../geometry/mercator.js';

/** What is drawn: pixels of the drawing are positions in the world times `scale`, less `left` and `top`. */
export interface DrawnArea {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

const width = 1_000;

/** All squares that the bounds touch, 1,000 wide. */
export function drawnArea(bounds: readonly number[], zoom: number): DrawnArea {
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  const side = 2 ** zoom;
  const [left, right] = [Math.floor(worldX(west) * side), Math.floor(worldX(east) * side) + 1];
  const [top, bottom] = [Math.floor(worldY(north) * side), Math.floor(worldY(south) * side) + 1];
  const square = width / (right - left);
  return {
    scale: square * side,
    left: left * square,
    top: top * square,
    width,
    height: (bottom - top) * square,
  };
}

/** Lines of `lng, lat, lng, lat …` as one path. */
export function pathOf(lines: readonly (readonly number[])[], { scale, left, top }: DrawnArea): string {
  const parts: string[] = [];
  for (const line of lines)
    for (let i = 0; i + 1 < line.length; i += 2) {
      const x = worldX(line[i]!) * scale - left;
      const y = worldY(line[i + 1]!) * scale - top;
      parts.push(`${i === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`);
    }
  return parts.join('');
}

const levelCount = 5;

/** 1 to 5, by the share of the busiest square. */
export const levelOf = (drivers: number, most: number): number =>
  Math.min(levelCount, Math.max(1, Math.ceil((levelCount * drivers) / most)));

export interface Level {
  readonly level: number;
  readonly from: number;
  readonly to: number;
}

/** The levels that occur, with the numbers of drivers that have them. */
export function levels(most: number): readonly Level[] {
  const found: Level[] = [];
  let from = 1;
  for (let level = 1; level <= levelCount; level++) {
    const to = Math.floor((level * most) / levelCount);
    if (to < from) continue;
    found.push({ level, from, to });
    from = to + 1;
  }
  return found;
}
