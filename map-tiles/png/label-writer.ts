import { createRequire } from 'node:module';
import { GlobalFonts, type SKRSContext2D } from '@napi-rs/canvas';
import type { LabelStyle } from './png-style.js';
import type { PixelLine } from './tile-geometry.js';
import { tilePixels } from './trace-geometry.js';

const family = 'Map';
const halo = '#ffffffd9';
const haloPixels = 2.4;
/** Pixels between a label and the edge of the tile or another label. */
const gap = 2;
const longestText = 40;
/** Minimum width of a letter as a share of its size, to skip texts that cannot fit before measuring. */
const narrowestLetter = 0.3;

/** Widths of texts by font: the same names come on many tiles, and measuring takes longer than drawing. */
const widths = new Map<string, number>();
const widthsKept = 20_000;

/** DejaVu Sans comes with the package: the tiles look the same wherever they are drawn. */
export function registerFonts(): void {
  const path = (name: string): string =>
    createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);
  if (GlobalFonts.has(family)) return;
  GlobalFonts.registerFromPath(path('DejaVuSansCondensed'), family);
  GlobalFonts.registerFromPath(path('DejaVuSansCondensed-Bold'), `${family} Bold`);
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Writes names where there is space: completely inside the tile, so that none is cut at its edge, and without
 * overlaps. Earlier names have priority.
 */
export class LabelWriter {
  readonly #pen: SKRSContext2D;
  #font = '';
  readonly #taken: (readonly [left: number, top: number, right: number, bottom: number])[] = [];
  readonly #written = new Map<string, Point[]>();

  constructor(pen: SKRSContext2D) {
    this.#pen = pen;
    pen.textAlign = 'center';
    pen.textBaseline = 'middle';
    pen.lineJoin = 'round';
    pen.lineWidth = haloPixels;
  }

  /** At the first point of a line. */
  atPoint(text: string, line: PixelLine, look: LabelStyle): boolean {
    if (text.length > longestText) return false;
    const width = this.#use(look, text);
    return this.#write(text, { x: line[0]!, y: line[1]! }, 0, width, look);
  }

  /** Along the longest straight piece of the lines, if the text fits there; once in a neighbourhood. */
  alongLine(text: string, lines: readonly PixelLine[], look: LabelStyle): boolean {
    if (text.length > longestText) return false;
    const long = lines.filter((line) => reachOf(line) > narrowestLetter * look.size * text.length);
    if (long.length === 0) return false;
    const width = this.#use(look, text);
    for (const line of long) {
      const piece = straightPiece(line, width + 2 * gap);
      if (piece === undefined) continue;
      const [a, b] = piece;
      const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
      const near = this.#written.get(text)?.some(({ x, y }) => Math.hypot(x - middle.x, y - middle.y) < 120);
      if (near === true) continue;
      let angle = Math.atan2(b.y - a.y, b.x - a.x);
      if (Math.abs(angle) > Math.PI / 2) angle -= Math.sign(angle) * Math.PI;
      if (this.#write(text, middle, angle, width, look)) return true;
    }
    return false;
  }

  #use({ size, bold }: LabelStyle, text: string): number {
    const font = `${size}px "${bold ? `${family} Bold` : family}"`;
    if (this.#font !== font) this.#pen.font = font;
    this.#font = font;
    const key = `${font} ${text}`;
    const known = widths.get(key);
    if (known !== undefined) return known;
    const { width } = this.#pen.measureText(text);
    if (widths.size >= widthsKept) widths.clear();
    widths.set(key, width);
    return width;
  }

  #write(text: string, { x, y }: Point, angle: number, width: number, { size, colour }: LabelStyle): boolean {
    const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
    const halfWidth = (width * cos + size * sin) / 2 + gap;
    const halfHeight = (width * sin + size * cos) / 2 + gap;
    const box = [x - halfWidth, y - halfHeight, x + halfWidth, y + halfHeight] as const;
    if (box[0] < 0 || box[1] < 0 || box[2] > tilePixels || box[3] > tilePixels) return false;
    if (
      this.#taken.some(
        (other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3],
      )
    )
      return false;
    this.#taken.push(box);
    this.#written.set(text, [...(this.#written.get(text) ?? []), { x, y }]);
    const pen = this.#pen;
    if (angle !== 0) {
      pen.save();
      pen.translate(x, y);
      pen.rotate(angle);
      pen.translate(-x, -y);
    }
    pen.strokeStyle = halo;
    pen.strokeText(text, x, y);
    pen.fillStyle = colour;
    pen.fillText(text, x, y);
    if (angle !== 0) pen.restore();
    return true;
  }
}

/** Diagonal of the box around a line, pixels. */
function reachOf(line: PixelLine): number {
  let [left, top, right, bottom] = [tilePixels, tilePixels, 0, 0];
  for (let i = 0; i < line.length; i += 2) {
    const x = line[i]!;
    const y = line[i + 1]!;
    if (x < left) left = x;
    if (x > right) right = x;
    if (y < top) top = y;
    if (y > bottom) bottom = y;
  }
  return Math.hypot(right - left, bottom - top);
}

/** Maximum distance of a piece's points from the straight line between its ends, pixels. */
const bendMax = 2.5;

/** The longest run of points that is nearly straight and at least this long. */
function straightPiece(line: PixelLine, least: number): readonly [Point, Point] | undefined {
  let best: readonly [Point, Point] | undefined;
  let bestLength = least;
  for (let from = 0; from < line.length - 2; from += 2) {
    const a = { x: line[from]!, y: line[from + 1]! };
    for (let to = from + 2; to < line.length; to += 2) {
      const b = { x: line[to]!, y: line[to + 1]! };
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const length = Math.hypot(dx, dy);
      let straight = true;
      for (let i = from + 2; i < to && straight; i += 2)
        straight = Math.abs(dx * (line[i + 1]! - a.y) - dy * (line[i]! - a.x)) <= bendMax * length;
      if (!straight) break;
      if (length >= bestLength) {
        bestLength = length;
        best = [a, b];
      }
    }
  }
  return best;
}
